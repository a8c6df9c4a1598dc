import type { IncomingMessage, ServerResponse } from "node:http";
import { closeListener, listen, metricsHandler } from "../api/index.ts";
import type { ListenAddress } from "../api/index.ts";
import type { SentinelHealth } from "./sentinel-health.ts";
import type { SentinelMetrics } from "./sentinel-metrics.ts";

/** Where Sentinels answer questions about themselves. */
export interface SentinelEndpointOptions {
  /** `/healthz` and `/readyz`. */
  readonly health: ListenAddress;
  /** `/metrics`. */
  readonly metrics: ListenAddress;
}

/** Open endpoints. */
export interface SentinelEndpoints {
  readonly healthUrl: string;
  readonly metricsUrl: string;
  close(): Promise<void>;
}

/** Opens the endpoints of Sentinels that share their figures. Throws an InputError if a port is taken. */
export async function serveSentinels(
  options: SentinelEndpointOptions,
  sentinels: readonly SentinelHealth[],
  figures: SentinelMetrics,
): Promise<SentinelEndpoints> {
  const health = await listen(options.health, (request, response) => void answer(sentinels, request, response));
  const metrics = await listen(options.metrics, metricsHandler(figures)).catch(async (error: unknown) => {
    await closeListener(health);
    throw error;
  });
  return {
    healthUrl: health.url,
    metricsUrl: metrics.url,
    close: async () => {
      await Promise.all([closeListener(health), closeListener(metrics)]);
    },
  };
}

async function answer(
  sentinels: readonly SentinelHealth[],
  { url = "/" }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const problems = await problemsAt(sentinels, url.split("?", 1)[0] ?? "/");
  const status = problems === undefined ? 404 : problems.length === 0 ? 200 : 503;
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  const detail = problems?.join("; ") ?? "no such page";
  const json = status === 200 ? { status: "ok" } : { status: "error", detail };
  response.writeHead(status, headers).end(JSON.stringify(json));
}

/** Undefined if there is no such page. */
async function problemsAt(sentinels: readonly SentinelHealth[], path: string): Promise<readonly string[] | undefined> {
  if (path === "/healthz" || path === "/livez") return sentinels.flatMap((sentinel) => sentinel.live());
  if (path !== "/readyz") return undefined;
  return (await Promise.all(sentinels.map((sentinel) => sentinel.ready()))).flat();
}
