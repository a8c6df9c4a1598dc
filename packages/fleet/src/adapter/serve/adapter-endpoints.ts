import type { IncomingMessage, ServerResponse } from "node:http";
import { stringifyJson } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { closeListener, listen, metricsHandler } from "../../api/index.ts";
import type { ListenAddress } from "../../api/index.ts";
import type { Broker } from "../../broker/index.ts";
import type { AdapterMetrics } from "./adapter-metrics.ts";

/** Where an adapter answers questions about itself. */
export interface AdapterEndpointOptions {
  /** `/healthz`, `/readyz` and `/config`. */
  readonly health: ListenAddress;
  /** `/metrics`. */
  readonly metrics: ListenAddress;
  readonly figures: AdapterMetrics;
  readonly broker: Broker;
  /** What `/config` shows; nothing secret. */
  readonly shown: JsonObject;
}

/** Open endpoints. */
export interface AdapterEndpoints {
  readonly healthUrl: string;
  readonly metricsUrl: string;
  close(): Promise<void>;
}

/** Opens the endpoints of an adapter. Throws an InputError if a port is taken. */
export async function serveAdapter(options: AdapterEndpointOptions): Promise<AdapterEndpoints> {
  const health = await listen(options.health, (request, response) => void answer(options, request, response));
  const metrics = await listen(options.metrics, metricsHandler(options.figures)).catch(async (error: unknown) => {
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
  { broker, shown }: AdapterEndpointOptions,
  { url = "/" }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [status, body] = await page(url.split("?", 1)[0] ?? "/", broker, shown);
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(stringifyJson(body));
}

/** It lives as long as it answers; it is ready when pulses can reach it. */
async function page(path: string, broker: Broker, shown: JsonObject): Promise<readonly [number, JsonObject]> {
  switch (path) {
    case "/healthz":
      return [200, { status: "ok" }];
    case "/readyz": {
      const health = await broker.health();
      return health.kind === "up" ? [200, { status: "ok" }] : [503, { status: "error", detail: health.reason }];
    }
    case "/config":
      return [200, shown];
    default:
      return [404, { status: "error", detail: "no such page" }];
  }
}
