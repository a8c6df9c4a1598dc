import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseKey } from "@levelset/core";
import type { ObjectKey } from "@levelset/core";
import { openPort } from "../port/index.ts";
import type { OpenPort } from "../port/index.ts";
import type { EndpointOptions } from "./endpoint-options.ts";
import type { RunsJson } from "./run-json.ts";

/** What the endpoints tell. */
export interface EndpointSources {
  /** Why it is not ready; empty when it is. */
  readonly problems: () => readonly string[];
  /** Absent where no figures are kept. */
  readonly metrics?: (() => Promise<{ readonly body: string; readonly contentType: string }>) | undefined;
  /** The controllers, all or one; with them the runs of one object, oldest first, or the latest run of each, latest first. */
  readonly runs: (controller: string | undefined, key: ObjectKey | undefined) => RunsJson;
}

interface Answer {
  readonly code: number;
  readonly body: string;
  readonly contentType?: string;
}

/** Serves /healthz, /readyz, /metrics and, to those who may, /debug/runs. */
export function serveEndpoints(options: EndpointOptions, sources: EndpointSources): Promise<OpenPort> {
  return openPort(options, (request, response) => reply(options, sources, request, response));
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
  if (url === null) return { code: 400, body: "this is no address\n" };
  if (request.method !== "GET" && request.method !== "HEAD") return { code: 405, body: "only GET\n" };
  switch (url.pathname) {
    case "/healthz":
    case "/livez":
      return { code: 200, body: "ok\n" };
    case "/readyz": {
      const problems = sources.problems();
      return problems.length === 0 ? { code: 200, body: "ok\n" } : { code: 503, body: `${problems.join("\n")}\n` };
    }
    case "/metrics":
      if (sources.metrics === undefined) return { code: 404, body: "not served: no figures are kept\n" };
      return { code: 200, ...(await sources.metrics()) };
    case "/debug/runs": {
      if (options.debugToken === undefined) return { code: 404, body: "not served: no debug token is set\n" };
      if (!mayDebug(options.debugToken, request)) return { code: 401, body: "the debug token is missing or wrong\n" };
      return debugRuns(sources, url.searchParams);
    }
    default:
      return { code: 404, body: "no such page\n" };
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
  // Digests have one length, and comparing them takes the same time for all.
  return timingSafeEqual(digest(shown), digest(`Bearer ${token}`));
}
