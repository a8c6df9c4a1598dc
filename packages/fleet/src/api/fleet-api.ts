import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeUtf8 } from "@levelset/core";
import type { Clock, Fetch, Logger, Random } from "@levelset/core";
import { listenHttp } from "@levelset/operator/http";
import type { HttpListener, ListenAddress } from "@levelset/operator/http";
import type { FleetKinds } from "../resource/index.ts";
import { UuidSource } from "../service/index.ts";
import type { Fleet } from "../service/index.ts";
import type { FleetStore } from "../store/index.ts";
import type { Authenticator } from "./authenticator.ts";
import { API_LIMITS, RequestDispatcher } from "./request-dispatcher.ts";
import type { ApiLimits } from "./request-dispatcher.ts";
import { clientErrorHandler } from "./client-error.ts";
import { ResourceHandlers } from "./resource-handlers.ts";
import { healthHandler, metricsHandler } from "./health.ts";
import { sendResponse } from "./http-response.ts";
import type { Limiter } from "./limiter.ts";
import type { Observer, RequestTracer } from "./observer.ts";
import type { RequestHeaders, Route } from "./route.ts";
import { fleetRoutes } from "./routes.ts";
import type { Watcher } from "./watcher.ts";

/** Large enough for a search of 4096 percent-encoded characters. */
const HEADER_BYTES_MAX = 64 * 1024;

/** Options of {@link FleetApi}. */
export interface FleetApiOptions extends ListenAddress {
  readonly fleet: Fleet;
  readonly store: FleetStore;
  readonly kinds: FleetKinds;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly version: string;
  readonly buildTime?: string;
  readonly limits?: Partial<ApiLimits>;
  /** Default: every caller may do everything. */
  readonly authenticator?: Authenticator;
  readonly limiter?: Limiter;
  readonly observer?: Observer;
  readonly tracer?: RequestTracer;
  readonly watcher?: Watcher;
  /** Additional routes that describe the other routes. */
  readonly moreRoutes?: (routes: readonly Route[]) => readonly Route[];
  /** The address of /healthz and /readyz. */
  readonly health?: ListenAddress;
  /** The address of /metrics; requires an observer. */
  readonly metrics?: ListenAddress;
}

/** The addresses that an API listens on. */
export interface FleetApiAddresses {
  readonly url: string;
  readonly port: number;
  readonly healthUrl: string | undefined;
  readonly metricsUrl: string | undefined;
}

/** The HTTP API of a fleet. */
export class FleetApi {
  /** All routes, including the additional ones. */
  readonly routes: readonly Route[];
  readonly #options: FleetApiOptions;
  readonly #limits: ApiLimits;
  readonly #ids: UuidSource;
  readonly #dispatcher: RequestDispatcher;
  readonly #closing = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  #ports: readonly HttpListener[] = [];

  constructor(options: FleetApiOptions) {
    const { fleet, kinds, clock, random, logger, version, buildTime = "unknown", watcher } = options;
    const handlers = new ResourceHandlers({ fleet, watcher });
    const routes = fleetRoutes({ handlers, kinds, basePath: fleet.basePath, version, buildTime });
    this.#options = options;
    this.#ids = new UuidSource({ clock, random });
    this.#limits = { ...API_LIMITS, ...options.limits };
    this.routes = [...routes, ...(options.moreRoutes?.(routes) ?? [])];
    this.#dispatcher = new RequestDispatcher({
      routes: this.routes,
      clock,
      logger,
      ids: this.#ids,
      limits: this.#limits,
      authenticator: options.authenticator,
      limiter: options.limiter,
      observer: options.observer,
      tracer: options.tracer,
    });
  }

  /** Opens the ports. Rejects with an `InputError` if one of them is in use; no port is open then. */
  async listen(): Promise<FleetApiAddresses> {
    const { host, port, health, metrics, store, clock, observer } = this.#options;
    const address = { port, ...(host === undefined ? {} : { host }) };
    const opened: HttpListener[] = [];
    const open = async (...args: Parameters<typeof listenHttp>): Promise<HttpListener> => {
      const port = await listenHttp(...args);
      opened.push(port);
      return port;
    };
    try {
      const isDraining = (): boolean => this.#closing.signal.aborted;
      const timeouts = { requestTimeout: this.#limits.requestTimeoutMs, maxHeaderSize: HEADER_BYTES_MAX };
      const main = await open(address, (request, response) => this.#take(request, response), timeouts);
      main.server.on("clientError", clientErrorHandler({ clock, ids: this.#ids }));
      // A socket is idle while its request is processed. Watches send heartbeats.
      main.server.timeout = this.#limits.requestTimeoutMs + this.#limits.stallMs;
      const side = health && (await open(health, healthHandler({ store, clock, isDraining })));
      const figures = metrics && observer && (await open(metrics, metricsHandler(observer)));
      return { url: main.url, port: main.port, healthUrl: side?.url, metricsUrl: figures?.url };
    } catch (error) {
      await Promise.all(opened.map((each) => each.close()));
      throw error;
    } finally {
      this.#ports = opened;
    }
  }

  /** Handles a request without a socket, for callers in this process. */
  readonly fetch: Fetch = async (request) => {
    const { pathname, search } = new URL(request.url);
    const response = await this.#dispatcher.handle({
      method: request.method,
      target: pathname + search,
      headers: { get: (name) => request.headers.get(name) ?? undefined },
      chunks: request.body ?? noChunks(),
      signal: request.signal,
    });
    const { status, headers, body } = response;
    const sent = body === undefined || typeof body === "string" ? (body ?? null) : ReadableStream.from(encoded(body));
    return new Response(request.method === "HEAD" ? null : sent, { status, headers });
  };

  /** Ends watches, waits for requests in flight, refuses new ones, and closes the ports. Idempotent. */
  async close(): Promise<void> {
    const { clock } = this.#options;
    this.#dispatcher.drain();
    this.#closing.abort();
    const [main, ...side] = this.#ports;
    this.#ports = [];
    if (main === undefined) return;
    const closed = Promise.withResolvers<void>();
    main.server.close(() => closed.resolve());
    const late = clock.after(this.#limits.drainMs, () => main.server.closeAllConnections());
    await Promise.allSettled(this.#pending);
    // All requests are answered: the remaining connections are idle.
    main.server.closeAllConnections();
    await closed.promise;
    late.cancel();
    await Promise.all(side.map((each) => each.close()));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const work = this.#reply(request, response).finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const disconnected = new AbortController();
    const leave = (): void => {
      // A close after the complete response is expected.
      if (!response.writableFinished) disconnected.abort();
    };
    response.once("close", leave);
    this.#closing.signal.addEventListener("abort", leave, { once: true });
    try {
      const { method = "GET", url = "/" } = request;
      const { signal } = disconnected;
      // Proxies send absolute URLs: only path and query matter.
      const target = url.replace(/^https?:\/\/[^/?#]*/i, "");
      const result = await this.#dispatcher.handle({
        method,
        target,
        headers: headersOf(request),
        chunks: request,
        signal,
      });
      await sendResponse(response, result, request.headers["accept-encoding"]);
    } catch (error) {
      // The response could not be sent: the stream failed or the socket closed.
      this.#options.logger.warn("response not sent", { err: error instanceof Error ? error.message : String(error) });
      response.destroy();
    } finally {
      this.#closing.signal.removeEventListener("abort", leave);
    }
  }
}

function headersOf({ headers }: IncomingMessage): RequestHeaders {
  return {
    get: (name) => {
      const value = headers[name.toLowerCase()];
      const text = Array.isArray(value) ? value.join(", ") : value;
      // Node decodes headers as latin1. Clients and gateways send UTF-8.
      return text === undefined || !/[\u0080-\u00ff]/.test(text) ? text : decodeUtf8(Buffer.from(text, "latin1"));
    },
  };
}

async function* noChunks(): AsyncGenerator<Uint8Array> {}

async function* encoded(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(chunk);
}
