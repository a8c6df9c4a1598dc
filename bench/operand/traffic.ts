import type { BenchClient } from "../apiserver-client.ts";

/** What a server was asked. */
export interface Traffic {
  readonly requests: number;
  readonly writes: number;
}

const WRITES = new Set(["POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"]);

/** What a server was asked about objects so far, by everybody, as its metrics tell. Watches count when they end. */
export async function trafficOf(client: BenchClient): Promise<Traffic> {
  const text = await client.send("GET", "/metrics");
  let [requests, writes] = [0, 0];
  for (const [, labels = "", value] of text.matchAll(/^apiserver_request_total\{([^}]*)\} (\S+)$/gmu)) {
    // Its own metrics and health are no objects.
    if (!/resource="[^"]/u.test(labels)) continue;
    requests += Number(value);
    if (WRITES.has(/verb="(\w+)"/u.exec(labels)?.[1] ?? "")) writes += Number(value);
  }
  return { requests, writes };
}
