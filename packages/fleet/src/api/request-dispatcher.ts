/**
 * Turns a request into a response: request ID, route, authentication, limits, handler. Errors become problem documents,
 * and every request is counted and logged. Every request gets a response, and internal details never leak into
 * responses.
 */
import { stringifyJson, toError, withTimeout } from "@levelset/core/internal";
import type { Clock, Logger } from "@levelset/core";
import { httpResponse } from "@levelset/core/http";
import type { HttpHandler, HttpRequest, HttpResponse } from "@levelset/core/http";
import { localCaller } from "../service/index.ts";
import type { Caller, UuidSource } from "../service/index.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Limiter } from "./limiter.ts";
import type { Observer, RequestTracer } from "./observer.ts";
import { HttpProblem, problemJson, toHttpProblem } from "./http-problem.ts";
import { parseQuery } from "./query-params.ts";
import { readJsonBody } from "./request-body.ts";
import type { RequestBody } from "./request-body.ts";
import type { HandlerResponse, RequestContext, RequestHeaders, Route } from "./route.ts";
import { Router } from "./router.ts";

/** Limits of a request. */
export interface ApiLimits {
  readonly bodyBytesMax: number;
  /** How long a request may take before it is answered with 503. */
  readonly requestTimeoutMs: number;
  /** How long a client may read nothing before the connection is closed. */
  readonly stallMs: number;
  /** How long closing waits for requests in flight. */
  readonly drainMs: number;
}

/** Default limits of the fleet API, for size and duration of requests. */
export const API_LIMITS: ApiLimits = {
  bodyBytesMax: 1024 * 1024,
  requestTimeoutMs: 30_000,
  stallMs: 30_000,
  drainMs: 10_000,
};

/** Options of {@link RequestDispatcher}. */
export interface RequestDispatcherOptions {
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

/** The state of a request while it is handled. */
interface RequestState {
  readonly requestId: string;
  readonly path: string;
  readonly query: string;
  readonly startTime: number;
  route: Route | undefined;
  caller: Caller | undefined;
}

/** Handles requests. */
export class RequestDispatcher {
  readonly #options: RequestDispatcherOptions;
  readonly #router: Router;
  #isDraining = false;

  constructor(options: RequestDispatcherOptions) {
    this.#options = options;
    this.#router = new Router(options.routes);
  }

  /** From now on every request is refused with 503. */
  drain(): void {
    this.#isDraining = true;
  }

  readonly handle: HttpHandler = async (request) => {
    const { clock, ids } = this.#options;
    // Proxies send absolute URLs: only path and query matter.
    const target = request.url.replace(/^https?:\/\/[^/?#]*/i, "");
    const [path = ""] = target.split("?", 1);
    const trip: RequestState = {
      requestId: ids.next(),
      path,
      query: target.slice(path.length + 1),
      startTime: clock.monotonic(),
      route: undefined,
      caller: undefined,
    };
    try {
      const response = await this.#respond(request, trip);
      this.#notify(request, trip, response.status);
      return finished(response, trip);
    } catch (error) {
      const problem = toHttpProblem(error);
      this.#notify(request, trip, problem.status, problem);
      const json = problemJson(problem, { instance: path, time: clock.now(), requestId: trip.requestId });
      const body = { kind: "text", text: stringifyJson(json), contentType: "application/problem+json" } as const;
      return finished({ status: problem.status, headers: problem.headers, body }, trip);
    }
  };

  async #respond(request: HttpRequest, trip: RequestState): Promise<HandlerResponse> {
    if (this.#isDraining) {
      const headers = { "retry-after": "1", connection: "close" };
      throw new HttpProblem("SVC-001", "this server is shutting down: retry with another one", { headers });
    }
    const { authenticator, limiter, tracer } = this.#options;
    const headers: RequestHeaders = { get: (name) => request.headers.get(name) ?? undefined };
    const { route, params } = this.#router.find(request.method, trip.path);
    trip.route = route;
    const query = parseQuery(trip.query);
    const { requestId } = trip;
    const caller = await (authenticator?.authenticate({ headers, needs: route.permission, requestId }) ??
      localCaller(requestId));
    trip.caller = caller;
    const release = limiter?.acquire(caller, route);
    try {
      const context = this.#context(request, { route, params, query, headers, caller, requestId, path: trip.path });
      const work = (): Promise<HandlerResponse> => this.#inTime(route.handle(context));
      return await (tracer === undefined ? work() : tracer.run({ route, headers, requestId }, work));
    } finally {
      release?.();
    }
  }

  #context(
    request: HttpRequest,
    found: Pick<RequestContext, "route" | "params" | "query" | "headers" | "caller" | "requestId" | "path">,
  ): RequestContext {
    const { bodyBytesMax } = this.#options.limits;
    let read: Promise<RequestBody> | undefined;
    return {
      ...found,
      method: request.method === "HEAD" ? "HEAD" : found.route.method,
      signal: request.signal,
      body: () => (read ??= readJsonBody(request, bodyBytesMax)),
    };
  }

  /**
   * Returns the handler's response, or throws a problem after the timeout. A slow change continues and may still be
   * committed.
   */
  async #inTime(response: Promise<HandlerResponse>): Promise<HandlerResponse> {
    const { clock, limits } = this.#options;
    const error = (): Error => {
      const detail = `no response within ${limits.requestTimeoutMs} ms; the change may still be applied`;
      return new HttpProblem("SVC-002", detail, { headers: { "retry-after": "1" } });
    };
    return withTimeout({ clock, ms: limits.requestTimeoutMs, error }, response);
  }

  /** Counts and logs every request once. The query is not logged: searches may contain confidential data. */
  #notify(
    { method }: HttpRequest,
    { requestId, path, startTime, route, caller }: RequestState,
    status: number,
    problem?: HttpProblem,
  ): void {
    const { clock, logger, observer } = this.#options;
    const durationMs = clock.monotonic() - startTime;
    observer?.observe({ method, route, status, durationMs });
    const fields = { requestId, method, path, status, durationMs, operation: route?.operationId, by: caller?.identity };
    if (problem === undefined) return logger.info("request", fields);
    const refused = { ...fields, code: problem.code, detail: problem.message };
    if (status < 500) return logger.info("request refused", refused);
    const { cause } = problem;
    logger.error("request failed", { ...refused, ...(cause === undefined ? {} : { err: toError(cause).stack }) });
  }
}

function finished({ status, headers = {}, body }: HandlerResponse, { requestId }: RequestState): HttpResponse {
  const common = {
    "x-request-id": requestId,
    vary: "Authorization, Accept-Encoding",
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
  };
  if (body === undefined) return httpResponse(status, null, { ...common, ...headers });
  const contentType = body.kind === "json" ? "application/json" : body.contentType;
  const abort = body.kind === "stream" && body.abort !== undefined ? { abort: body.abort } : {};
  return { ...httpResponse(status, contentOf(body), { ...common, "content-type": contentType, ...headers }), ...abort };
}

function contentOf(body: NonNullable<HandlerResponse["body"]>): string | AsyncIterable<string> {
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
