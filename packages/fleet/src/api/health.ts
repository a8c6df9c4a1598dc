import type { IncomingMessage, ServerResponse } from "node:http";
import { stringifyJson, toError } from "@levelset/core";
import type { Clock, JsonObject } from "@levelset/core";
import type { HttpHandler } from "@levelset/operator/http";
import type { FleetStore } from "../store/index.ts";
import type { Observer } from "./observer.ts";

/** The timeout of a database ping. */
const PING_MS = 2_000;

/** Dependencies of {@link healthHandler}. */
export interface HealthSources {
  readonly store: Pick<FleetStore, "ping">;
  readonly clock: Clock;
  readonly isDraining: () => boolean;
}

/** Serves /healthz (the process runs) and /readyz (the process can serve requests). */
export function healthHandler(sources: HealthSources): HttpHandler {
  return (request, response) => reportHealth(sources, request, response);
}

async function reportHealth(sources: HealthSources, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, json } = await healthOf(sources, pathOf(request));
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  response.writeHead(status, headers).end(stringifyJson(json));
}

/** Serves /metrics. */
export function metricsHandler(observer: Pick<Observer, "render">): HttpHandler {
  return (request, response) => {
    if (pathOf(request) !== "/metrics") {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
      return;
    }
    observer.render().then(
      ({ body, contentType }) => response.writeHead(200, { "content-type": contentType }).end(body),
      (error: unknown) => response.writeHead(503, { "content-type": "text/plain" }).end(`${toError(error).message}\n`),
    );
  };
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "/";
}

interface Health {
  readonly status: number;
  readonly json: JsonObject;
}

async function healthOf(sources: HealthSources, path: string): Promise<Health> {
  switch (path) {
    case "/healthz":
    case "/livez":
      return { status: 200, json: { status: "ok" } };
    case "/readyz": {
      if (sources.isDraining()) return notReady("the server is closing");
      return (await isReachable(sources))
        ? { status: 200, json: { status: "ok" } }
        : notReady("the database does not respond");
    }
    default:
      return { status: 404, json: { status: "error", detail: "not found" } };
  }
}

function notReady(detail: string): Health {
  return { status: 503, json: { status: "error", detail } };
}

/** Returns true if the database responds within the timeout. */
function isReachable({ store, clock }: HealthSources): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.after(PING_MS, () => resolve(false));
    store
      .ping()
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(() => timer.cancel());
  });
}
