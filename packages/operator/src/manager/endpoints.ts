import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseKey } from "@levelset/core";
import type { ObjectKey } from "@levelset/core";
import { listenHttp } from "../http/index.ts";
import type { HttpListener } from "../http/index.ts";
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

interface Answer {
  readonly code: number;
  readonly body: string;
  readonly contentType?: string;
}

/** Serves /healthz, /readyz, /metrics and, with the debug token, /debug/runs. */
export function serveEndpoints(options: EndpointOptions, sources: EndpointSources): Promise<HttpListener> {
  return listenHttp(options, (request, response) => reply(options, sources, request, response));
}

async function reply(
  options: EndpointOptions,
  sources: EndpointSources,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { code, body, contentType = "text/plain; charset=utf-8" } = await answer(options, sources, request);
  response.writeHead(code, { "content-type": contentType, "cache-control": "no-store" }).end(body);
}

async function answer(options: EndpointOptions, sources: EndpointSources, request: IncomingMessage): Promise<Answer> {
  const url = URL.parse(request.url ?? "/", "http://localhost");
  if (url === null) return { code: 400, body: "invalid request target\n" };
  if (request.method !== "GET" && request.method !== "HEAD")
    return { code: 405, body: "method not allowed, use GET\n" };
  switch (url.pathname) {
    case "/healthz":
    case "/livez":
      return { code: 200, body: "ok\n" };
    case "/readyz": {
      const problems = sources.problems();
      return problems.length === 0 ? { code: 200, body: "ok\n" } : { code: 503, body: `${problems.join("\n")}\n` };
    }
    case "/metrics":
      if (sources.metrics === undefined) return { code: 404, body: "metrics are disabled\n" };
      return { code: 200, ...(await sources.metrics()) };
    case "/debug/runs": {
      if (options.debugToken === undefined) return { code: 404, body: "/debug is disabled: no debug token is set\n" };
      if (!mayDebug(options.debugToken, request)) return { code: 401, body: "the debug token is missing or wrong\n" };
      return debugRuns(sources, url.searchParams);
    }
    default:
      return { code: 404, body: "not found\n" };
  }
}

function debugRuns(sources: EndpointSources, query: URLSearchParams): Answer {
  const object = query.get("object");
  const runs = sources.runs(query.get("controller") ?? undefined, object === null ? undefined : parseKey(object));
  return { code: 200, body: JSON.stringify(runs), contentType: "application/json" };
}

function mayDebug(token: string, request: IncomingMessage): boolean {
  const shown = request.headers.authorization ?? "";
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  // Digests have equal length, so the comparison takes constant time.
  return timingSafeEqual(digest(shown), digest(`Bearer ${token}`));
}
