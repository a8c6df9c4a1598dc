import { parseKey, toError } from "@levelset/core/internal";
import type { ObjectKey } from "@levelset/core";
import { httpResponse, isSameSecret, listenHttp, requestUrl } from "@levelset/core/http";
import type { HttpListener, HttpListenerOptions, HttpRequest, HttpResponse } from "@levelset/core/http";
import type { EndpointOptions } from "./endpoint-options.ts";
import type { RunsJson } from "./run-json.ts";

/** Data sources of the endpoints. */
export interface EndpointSources {
  /** Returns why the process is not ready; empty if it is. */
  readonly problems: () => readonly string[];
  /** Absent if metrics are disabled. */
  readonly metrics?: (() => Promise<{ readonly body: string; readonly contentType: string }>) | undefined;
  /**
   * Returns the controllers, all or one, with their runs: the runs of one object, oldest first, or the last run of each
   * object, newest first.
   */
  readonly runs: (controller: string | undefined, key: ObjectKey | undefined) => RunsJson;
}

/** Serves /healthz, /readyz, /metrics and, with the debug token, /debug/runs. */
export function serveEndpoints(
  options: EndpointOptions & Pick<HttpListenerOptions, "logger">,
  sources: EndpointSources,
): Promise<HttpListener> {
  return listenHttp((request) => respond(options, sources, request), options);
}

async function respond(
  options: EndpointOptions,
  sources: EndpointSources,
  request: HttpRequest,
): Promise<HttpResponse> {
  const url = requestUrl(request);
  if (url === null) return page(400, "invalid request target\n");
  if (request.method !== "GET" && request.method !== "HEAD") return page(405, "method not allowed, use GET\n");
  switch (url.pathname) {
    case "/healthz":
    case "/livez":
      return page(200, "ok\n");
    case "/readyz": {
      const problems = sources.problems();
      return problems.length === 0 ? page(200, "ok\n") : page(503, `${problems.join("\n")}\n`);
    }
    case "/metrics":
      return sources.metrics === undefined ? page(404, "metrics are disabled\n") : metricsPage(sources.metrics);
    case "/debug/runs": {
      if (options.debugToken === undefined) return page(404, "/debug is disabled: no debug token is set\n");
      const shown = request.headers.get("authorization") ?? "";
      if (!isSameSecret(shown, `Bearer ${options.debugToken}`))
        return page(401, "the debug token is missing or wrong\n");
      return debugRuns(sources, url.searchParams);
    }
    default:
      return page(404, "not found\n");
  }
}

function page(status: number, body: string, contentType = "text/plain; charset=utf-8"): HttpResponse {
  return httpResponse(status, body, { "content-type": contentType, "cache-control": "no-store" });
}

/** The error of a metric is for the operator of the process, who reads it here. */
async function metricsPage(render: NonNullable<EndpointSources["metrics"]>): Promise<HttpResponse> {
  try {
    const { body, contentType } = await render();
    return page(200, body, contentType);
  } catch (error) {
    return page(500, `${toError(error).message}\n`);
  }
}

function debugRuns(sources: EndpointSources, query: URLSearchParams): HttpResponse {
  const object = query.get("object");
  const runs = sources.runs(query.get("controller") ?? undefined, object === null ? undefined : parseKey(object));
  return page(200, JSON.stringify(runs), "application/json");
}
