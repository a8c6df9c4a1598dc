import { toError } from "../error/index.ts";
import { stringifyJson } from "../json/index.ts";
import type { JsonObject } from "../json/index.ts";
import { httpResponse, requestUrl } from "./http-handler.ts";
import type { HttpHandler } from "./http-handler.ts";
import { listenHttp } from "./listen-http.ts";
import type { ListenAddress } from "./listen-http.ts";

/** Addresses of a process's operational endpoints. */
export interface ProcessEndpointOptions {
  /** The address of `/healthz`, `/readyz` and further status pages. */
  readonly health: ListenAddress;
  /** The address of `/metrics`. */
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

/** The metrics of a process. */
export interface MetricsSource {
  /** Returns the content of `/metrics`. */
  render(): Promise<{ readonly body: string; readonly contentType: string }>;
}

/** Opens the endpoints of a process. Rejects with an `InputError` if a port is in use. */
export async function openProcessEndpoints(
  options: ProcessEndpointOptions,
  page: EndpointHandler,
  metrics: MetricsSource,
): Promise<ProcessEndpoints> {
  const health = await listenHttp(healthHandler(page), options.health);
  const figures = await listenHttp(metricsHandler(metrics), options.metrics).catch(async (error: unknown) => {
    await health.close();
    throw error;
  });
  return {
    healthUrl: health.url,
    metricsUrl: figures.url,
    close: async () => {
      await Promise.all([health.close(), figures.close()]);
    },
  };
}

/** Serves status pages. */
export function healthHandler(page: EndpointHandler): HttpHandler {
  return async (request) => {
    const [status, json] = (await page(requestUrl(request)?.pathname ?? "")) ?? [404, problem("not found")];
    return httpResponse(status, stringifyJson(json), {
      "content-type": "application/json",
      "cache-control": "no-store",
    });
  };
}

/** Serves `/metrics`. */
export function metricsHandler(metrics: MetricsSource): HttpHandler {
  const text = { "content-type": "text/plain" };
  return async (request) => {
    if (requestUrl(request)?.pathname !== "/metrics") return httpResponse(404, "not found\n", text);
    try {
      const { body, contentType } = await metrics.render();
      return httpResponse(200, body, { "content-type": contentType });
    } catch (error) {
      return httpResponse(503, `${toError(error).message}\n`, text);
    }
  };
}

/** Returns a health response: 200 without problems, otherwise 503 with the list. */
export function healthResponse(problems: readonly string[]): readonly [number, JsonObject] {
  return problems.length === 0 ? [200, { status: "ok" }] : [503, problem(problems.join("; "))];
}

function problem(detail: string): JsonObject {
  return { status: "error", detail };
}
