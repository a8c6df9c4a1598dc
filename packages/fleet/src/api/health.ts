import type { IncomingMessage, ServerResponse } from "node:http";
import { stringifyJson, toError } from "@levelset/core";
import type { Clock, JsonObject } from "@levelset/core";
import type { PortHandler } from "@levelset/operator/port";
import type { FleetStore } from "../store/index.ts";
import type { Observer } from "./observer.ts";

/** How long the database may take to say that it is there. */
const PING_MS = 2_000;

/** What the endpoints beside the API tell. */
export interface HealthSources {
  readonly store: Pick<FleetStore, "ping">;
  readonly clock: Clock;
  readonly isDraining: () => boolean;
}

/** Answers /healthz, which says that the process runs, and /readyz, which says that it can serve. */
export function healthHandler(sources: HealthSources): PortHandler {
  return (request, response) => tellHealth(sources, request, response);
}

async function tellHealth(sources: HealthSources, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, json } = await healthOf(sources, pathOf(request));
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  response.writeHead(status, headers).end(stringifyJson(json));
}

/** Answers /metrics. */
export function metricsHandler(observer: Pick<Observer, "render">): PortHandler {
  return (request, response) => {
    if (pathOf(request) !== "/metrics") {
      response.writeHead(404, { "content-type": "text/plain" }).end("no such page\n");
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
      return (await answers(sources))
        ? { status: 200, json: { status: "ok" } }
        : notReady("the database does not answer");
    }
    default:
      return { status: 404, json: { status: "error", detail: "no such page" } };
  }
}

function notReady(detail: string): Health {
  return { status: 503, json: { status: "error", detail } };
}

/** Whether the database answers soon enough. */
function answers({ store, clock }: HealthSources): Promise<boolean> {
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
