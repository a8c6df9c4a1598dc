import type { IncomingMessage, ServerResponse } from "node:http";
import { stringifyJson } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { listenHttp } from "@levelset/operator/http";
import type { ListenAddress } from "@levelset/operator/http";
import { metricsHandler } from "./health.ts";
import type { Observer } from "./observer.ts";

/** Addresses of a process's operational endpoints. */
export interface ProcessEndpointOptions {
  /** The address of `/healthz`, `/readyz` and further status pages. */
  readonly health: ListenAddress;
  /** `/metrics`. */
  readonly metrics: ListenAddress;
}

/** Open endpoints. */
export interface ProcessEndpoints {
  readonly healthUrl: string;
  readonly metricsUrl: string;
  close(): Promise<void>;
}

/** Returns the status code and JSON document of a path; undefined if there is no such page. */
export type EndpointHandler = (path: string) => Promise<readonly [number, JsonObject] | undefined>;

/** Opens the endpoints of a process without an API. Rejects with an `InputError` if a port is in use. */
export async function openProcessEndpoints(
  options: ProcessEndpointOptions,
  page: EndpointHandler,
  figures: Pick<Observer, "render">,
): Promise<ProcessEndpoints> {
  const health = await listenHttp(options.health, (request, response) => answer(page, request, response));
  const metrics = await listenHttp(options.metrics, metricsHandler(figures)).catch(async (error: unknown) => {
    await health.close();
    throw error;
  });
  return {
    healthUrl: health.url,
    metricsUrl: metrics.url,
    close: async () => {
      await Promise.all([health.close(), metrics.close()]);
    },
  };
}

async function answer(page: EndpointHandler, { url = "/" }: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, body] = (await page(url.split("?", 1)[0] ?? "/")) ?? [404, problem("not found")];
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(stringifyJson(body));
}

/** Returns a health response: 200 without problems, otherwise 503 with the list. */
export function healthResponse(problems: readonly string[]): readonly [number, JsonObject] {
  return problems.length === 0 ? [200, { status: "ok" }] : [503, problem(problems.join("; "))];
}

function problem(detail: string): JsonObject {
  return { status: "error", detail };
}
