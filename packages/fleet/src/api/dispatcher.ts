/**
 * From a request to its answer: an id, a route, who calls, whether there is room, the handler; then what went wrong becomes a problem
 * document, and what happened is counted and logged. A request always gets an answer, and nothing of our inside is in it.
 */
import { stringifyJson, toError } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { localCaller } from "../service/index.ts";
import type { Caller, UuidSource } from "../service/index.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Limiter } from "./limiter.ts";
import type { Observer, RequestTracer } from "./observer.ts";
import { Problem, problemJson, problemOf } from "./problem.ts";
import { parseQuery } from "./query.ts";
import { readBody } from "./request-body.ts";
import type { RequestBody } from "./request-body.ts";
import type { Answer, Exchange, RequestHeaders, Route } from "./route.ts";
import { Router } from "./router.ts";

/** A request, as far as the API reads it. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The answer to a request. Names of headers are in lower case. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A text, or pieces of one that are sent as they come. */
  readonly body: string | AsyncIterable<string> | undefined;
  /** Aborts when the connection is to be cut at once. */
  readonly cut?: AbortSignal;
}

/** What bounds a request. */
export interface ApiLimits {
  readonly bodyBytesMax: number;
  /** How long a request may take until it is answered with 503. */
  readonly requestTimeoutMs: number;
  /** How long a caller may read nothing of its answer until the connection is cut. */
  readonly stallMs: number;
  /** How long requests under way are waited for when the API closes. */
  readonly drainMs: number;
}

/** The limits of an API that is told none. */
export const API_LIMITS: ApiLimits = {
  bodyBytesMax: 1024 * 1024,
  requestTimeoutMs: 30_000,
  stallMs: 30_000,
  drainMs: 10_000,
};

/** What a dispatcher is made of. */
export interface DispatcherOptions {
  readonly routes: readonly Route[];
  readonly clock: Clock;
  readonly ids: UuidSource;
  readonly logger: Logger;
  readonly limits: ApiLimits;
  readonly authenticator?: Authenticator | undefined;
  readonly limiter?: Limiter | undefined;
  readonly observer?: Observer | undefined;
  readonly tracer?: RequestTracer | undefined;
}

/** What is known of a request while it is handled. */
interface Trip {
  readonly requestId: string;
  readonly path: string;
  readonly startTime: number;
  route: Route | undefined;
  caller: Caller | undefined;
}

/** Answers requests. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #router: Router;
  #isDraining = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#router = new Router(options.routes);
  }

  /** From now on every request is told to come back later. */
  drain(): void {
    this.#isDraining = true;
  }

  async handle(request: ApiRequest): Promise<ApiAnswer> {
    const { clock, ids } = this.#options;
    const [path = ""] = request.target.split("?", 1);
    const trip: Trip = {
      requestId: ids.next(),
      path,
      startTime: clock.monotonic(),
      route: undefined,
      caller: undefined,
    };
    try {
      const answer = await this.#answer(request, trip);
      this.#tell(request, trip, answer.status);
      return finished(answer, trip);
    } catch (error) {
      const problem = problemOf(error);
      this.#tell(request, trip, problem.status, problem);
      const json = problemJson(problem, { instance: path, time: clock.now(), requestId: trip.requestId });
      const body = { kind: "text", text: stringifyJson(json), contentType: "application/problem+json" } as const;
      return finished({ status: problem.status, headers: problem.headers, body }, trip);
    }
  }

  async #answer(request: ApiRequest, trip: Trip): Promise<Answer> {
    if (this.#isDraining) {
      const headers = { "retry-after": "1", connection: "close" };
      throw new Problem("SVC-001", "this server is closing: ask another one", { headers });
    }
    const { authenticator, limiter, tracer } = this.#options;
    const { headers } = request;
    const { route, params } = this.#router.find(request.method, trip.path);
    trip.route = route;
    const query = parseQuery(request.target.slice(trip.path.length + 1));
    const { requestId } = trip;
    const caller = await (authenticator?.authenticate({ headers, needs: route.needs, requestId }) ??
      localCaller(requestId));
    trip.caller = caller;
    const release = limiter?.take(caller, route);
    try {
      const exchange = this.#exchange(request, { route, params, query, caller, requestId, path: trip.path });
      const work = (): Promise<Answer> => this.#inTime(route.handle(exchange));
      return await (tracer === undefined ? work() : tracer.run({ route, headers, requestId }, work));
    } finally {
      release?.();
    }
  }

  #exchange(
    { method, headers, signal, chunks }: ApiRequest,
    found: Pick<Exchange, "route" | "params" | "query" | "caller" | "requestId" | "path">,
  ): Exchange {
    const { bodyBytesMax } = this.#options.limits;
    let read: Promise<RequestBody> | undefined;
    return {
      ...found,
      method: method === "HEAD" ? "HEAD" : found.route.method,
      headers,
      signal,
      body: () => (read ??= readBody({ headers, chunks, bytesMax: bodyBytesMax })),
    };
  }

  /** What a handler answers, if it does so in time. A change that takes longer goes on, and may still happen. */
  async #inTime(answer: Promise<Answer>): Promise<Answer> {
    const { clock, limits } = this.#options;
    const late = Promise.withResolvers<never>();
    const timer = clock.after(limits.requestTimeoutMs, () => {
      const detail = `no answer within ${limits.requestTimeoutMs} ms; what was asked may still happen`;
      late.reject(new Problem("SVC-002", detail, { headers: { "retry-after": "1" } }));
    });
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      timer.cancel();
    }
  }

  /** One count and one line for every request. The query stays out of it: searches may name what nobody else should read. */
  #tell(
    { method }: ApiRequest,
    { requestId, path, startTime, route, caller }: Trip,
    status: number,
    problem?: Problem,
  ): void {
    const { clock, logger, observer } = this.#options;
    const durationMs = clock.monotonic() - startTime;
    observer?.observe({ method, route, status, durationMs });
    const fields = { requestId, method, path, status, durationMs, operation: route?.operationId, by: caller?.identity };
    if (problem === undefined) return logger.info("request", fields);
    const refused = { ...fields, code: problem.code, detail: problem.message };
    if (status < 500) return logger.info("request refused", refused);
    const { cause } = problem;
    logger.error("request failed", { ...refused, ...(cause === undefined ? {} : { error: toError(cause).stack }) });
  }
}

function finished({ status, headers = {}, body }: Answer, { requestId }: Trip): ApiAnswer {
  const common = {
    "x-request-id": requestId,
    vary: "Authorization, Accept-Encoding",
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
  };
  if (body === undefined) return { status, headers: { ...common, ...headers }, body: undefined };
  const contentType = body.kind === "json" ? "application/json" : body.contentType;
  const cut = body.kind === "stream" && body.cut !== undefined ? { cut: body.cut } : {};
  return { status, headers: { ...common, "content-type": contentType, ...headers }, body: contentOf(body), ...cut };
}

function contentOf(body: NonNullable<Answer["body"]>): string | AsyncIterable<string> {
  switch (body.kind) {
    case "json":
      return stringifyJson(body.json);
    case "text":
      return body.text;
    case "stream":
      return body.chunks;
    default:
      return body satisfies never;
  }
}
