import { requestProcess } from "./process-request.ts";
import type { RequestWorld } from "./process-request.ts";
import type { RunProcess } from "./run-process.ts";

/** Fetches the metrics of a process in Prometheus format; undefined if it serves none or does not respond. */
export async function fetchMetrics(process: RunProcess, world: RequestWorld): Promise<string | undefined> {
  const response = await requestProcess(process, new URL("/metrics", process.url), world);
  return response.kind === "ok" ? response.body : undefined;
}
