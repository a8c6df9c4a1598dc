import { isAbortError, StatusError } from "@levelset/core";
import { toError, unreachable } from "@levelset/core/internal";
import type { Fetch } from "@levelset/core";
import { methodNotAllowedError } from "../resource/index.ts";
import { ApiResponse, statusErrorResponse } from "./api-response.ts";
import { checkAddress } from "./address.ts";
import { DiscoveryDocuments } from "./discovery/discovery-documents.ts";
import { toFetch } from "@levelset/core/http";
import type { ApiRequest, ApiHandler } from "./request/api-request.ts";
import { handleRequest } from "./request-handler.ts";
import type { RequestHandlerOptions } from "./request-handler.ts";
import { healthResponse, serverHealthChecks } from "./health.ts";
import type { HealthChecks } from "./health.ts";
import { isMutating, MetricLabels } from "./metrics/metric-labels.ts";
import { formatResponse } from "./format-response.ts";
import { ApiServerMetrics } from "./metrics/metrics.ts";
import { rewriteLegacyWatch, parseApiRoute } from "./request/api-route.ts";
import type { ServerRoute, ApiRoute } from "./request/api-route.ts";

/** Options of {@link createApiHandler}. */
export interface ApiHandlerOptions extends Omit<RequestHandlerOptions, "metrics" | "documents"> {
  /** Default: a private instance, exposed at `/metrics` only. */
  readonly metrics?: ApiServerMetrics;
  /** Whether the store accepts writes. Default: always true. */
  readonly isOpen?: () => boolean;
}

interface Api extends RequestHandlerOptions {
  readonly health: HealthChecks;
}

/** Returns the API as a `fetch` function. */
export function createApiFetch(options: ApiHandlerOptions): Fetch {
  return toFetch(createApiHandler(options));
}

/** Returns the API as a function from a request to a response. */
export function createApiHandler(options: ApiHandlerOptions): ApiHandler {
  const { clock, registry, metrics = new ApiServerMetrics() } = options;
  const documents = new DiscoveryDocuments(() => registry.catalog.resources);
  const health = serverHealthChecks(options.isOpen ?? (() => true), () => registry.store.quarantine.length);
  const api: Api = { ...options, metrics, documents, health };
  const metricLabels = new MetricLabels(registry);
  metrics.addGauge({
    name: "levelset_store_revision",
    help: "The revision of the latest write.",
    read: () => [["", registry.store.revision]],
  });
  metrics.addGauge({
    name: "levelset_store_quarantined_rows",
    help: "Damaged rows that are not served.",
    read: () => [["", registry.store.quarantine.length]],
  });
  return async (request) => {
    const { pathname, search, searchParams } = new URL(request.url);
    const watch = rewriteLegacyWatch(pathname);
    for (const [name, value] of watch?.query ?? []) searchParams.set(name, value);
    const route = parseApiRoute(watch?.pathname ?? pathname);
    const labels = metricLabels.of(request, route, searchParams);
    const start = clock.monotonic();
    const end = metrics.trackInFlight(isMutating(request));
    try {
      const response = await attempt(api, request, async () => {
        const plain = await attempt(api, request, async () => {
          checkAddress(pathname, search);
          return dispatch(api, request, route, searchParams);
        });
        return formatResponse(plain, request, searchParams);
      });
      metrics.observeRequest(labels, response.status, (clock.monotonic() - start) / 1000);
      return response;
    } finally {
      end();
    }
  };
}

/** Converts every error into a Status response. Rethrows if the request was aborted. */
async function attempt(api: Api, request: ApiRequest, run: () => Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof StatusError) return statusErrorResponse(error);
    if (request.signal.aborted || isAbortError(error)) throw error;
    api.logger.error("request failed", {
      method: request.method,
      path: new URL(request.url).pathname,
      err: toError(error),
      stack: toError(error).stack,
    });
    return statusErrorResponse(new StatusError("InternalError", "Internal error occurred"));
  }
}

async function dispatch(api: Api, request: ApiRequest, route: ApiRoute, query: URLSearchParams): Promise<ApiResponse> {
  if (route.kind === "health" || route.kind === "metrics") return serverRouteResponse(api, request, route, query);
  return handleRequest(api, request, route, query);
}

function serverRouteResponse(api: Api, request: ApiRequest, route: ServerRoute, query: URLSearchParams): ApiResponse {
  switch (route.kind) {
    case "health":
      return healthResponse(api.health, route.endpoint, route.check, query);
    case "metrics":
      if (isMutating(request)) throw methodNotAllowedError();
      return new ApiResponse(api.metrics.render(), "text/plain; version=0.0.4; charset=utf-8");
    default:
      return unreachable(route);
  }
}
