import type { BenchClient } from "../apiserver-client.ts";

/** Request counts of a server. */
export interface RequestCounts {
  readonly requests: number;
  readonly writes: number;
}

const WRITES = new Set(["POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"]);

/**
 * Returns the number of object requests of all clients so far, from the server's metrics. Watches count when they end.
 */
export async function requestCountsOf(client: BenchClient): Promise<RequestCounts> {
  const text = await client.send("GET", "/metrics");
  let [requests, writes] = [0, 0];
  for (const [, labels = "", value] of text.matchAll(/^apiserver_request_total\{([^}]*)\} (\S+)$/gmu)) {
    // Requests for metrics and health have no resource.
    if (!/resource="[^"]/u.test(labels)) continue;
    requests += Number(value);
    if (WRITES.has(/verb="(\w+)"/u.exec(labels)?.[1] ?? "")) writes += Number(value);
  }
  return { requests, writes };
}
