import { isAbort, StatusError, toError, unreachable } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { methodNotAllowed } from "../registry/index.ts";
import { Answer, failureAnswer } from "./answer.ts";
import { checkAddress } from "./address.ts";
import { Documents } from "./documents.ts";
import { asFetch } from "./exchange.ts";
import type { ApiRequest, Handle } from "./exchange.ts";
import { answerRequest } from "./handler.ts";
import type { HandlerOptions } from "./handler.ts";
import { healthAnswer, healthOf } from "./health.ts";
import type { Health } from "./health.ts";
import { isMutating, LabelBook } from "./labels.ts";
import { laidOut } from "./layout.ts";
import { Metrics } from "./metrics.ts";
import { modernWatch, parseRoute } from "./route.ts";
import type { OwnRoute, Route } from "./route.ts";

/** What the HTTP side needs. */
export interface ApiOptions extends Omit<HandlerOptions, "metrics" | "documents"> {
  /** Default: counted for nobody but `/metrics`. */
  readonly metrics?: Metrics;
  /** Whether writes are still taken. Default: always. */
  readonly isOpen?: () => boolean;
}

interface Api extends HandlerOptions {
  readonly health: Health;
}

/** The API as a function of the web. */
export function createHandler(options: ApiOptions): Fetch {
  return asFetch(createApi(options));
}

/** The API as a function. */
export function createApi(options: ApiOptions): Handle {
  const { clock, registry, metrics = new Metrics() } = options;
  const documents = new Documents(() => registry.catalog.resources);
  const health = healthOf(options.isOpen ?? (() => true), () => registry.store.quarantine.length);
  const api: Api = { ...options, metrics, documents, health };
  const book = new LabelBook(registry);
  metrics.gauge({
    name: "levelset_store_revision",
    help: "The revision of the latest write.",
    read: () => [["", registry.store.revision]],
  });
  metrics.gauge({
    name: "levelset_store_quarantined_rows",
    help: "Damaged rows that are not served.",
    read: () => [["", registry.store.quarantine.length]],
  });
  return async (request) => {
    const { pathname, search, searchParams } = new URL(request.url);
    const watch = modernWatch(pathname);
    for (const [name, value] of watch?.query ?? []) searchParams.set(name, value);
    const route = parseRoute(watch?.pathname ?? pathname);
    const labels = book.of(request, route, searchParams);
    const start = clock.monotonic();
    const end = metrics.begin(isMutating(request));
    try {
      const answer = await attempt(api, request, async () => {
        const plain = await attempt(api, request, async () => {
          checkAddress(pathname, search);
          return answerTo(api, request, route, searchParams);
        });
        return laidOut(plain, request, searchParams);
      });
      metrics.answered(labels, answer.status, (clock.monotonic() - start) / 1000);
      return answer;
    } finally {
      end();
    }
  };
}

/** Every failure is an answer, except that of a request which nobody waits for. */
async function attempt(api: Api, request: ApiRequest, run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof StatusError) return failureAnswer(error);
    if (request.signal.aborted || isAbort(error)) throw error;
    api.logger.error("request failed", {
      method: request.method,
      path: new URL(request.url).pathname,
      error: toError(error),
      stack: toError(error).stack,
    });
    return failureAnswer(new StatusError("InternalError", "Internal error occurred"));
  }
}

async function answerTo(api: Api, request: ApiRequest, route: Route, query: URLSearchParams): Promise<Answer> {
  if (route.kind === "health" || route.kind === "metrics") return ownAnswer(api, request, route, query);
  return answerRequest(api, request, route, query);
}

function ownAnswer(api: Api, request: ApiRequest, route: OwnRoute, query: URLSearchParams): Answer {
  switch (route.kind) {
    case "health":
      return healthAnswer(api.health, route.endpoint, route.check, query);
    case "metrics":
      if (isMutating(request)) throw methodNotAllowed();
      return new Answer(api.metrics.text(), "text/plain; version=0.0.4; charset=utf-8");
    default:
      return unreachable(route);
  }
}
