import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeUtf8 } from "@levelset/core";
import type { Clock, Fetch, Logger, Random } from "@levelset/core";
import { openPort } from "@levelset/operator/port";
import type { OpenPort, PortAddress } from "@levelset/operator/port";
import type { FleetKinds } from "../resource/index.ts";
import { UuidSource } from "../service/index.ts";
import type { Fleet } from "../service/index.ts";
import type { FleetStore } from "../store/index.ts";
import type { Authenticator } from "./authenticator.ts";
import { API_LIMITS, Dispatcher } from "./dispatcher.ts";
import type { ApiLimits } from "./dispatcher.ts";
import { garbageHandler } from "./garbage.ts";
import { Handlers } from "./handlers.ts";
import { healthHandler, metricsHandler } from "./health.ts";
import { send } from "./http-reply.ts";
import type { Limiter } from "./limiter.ts";
import type { Observer, RequestTracer } from "./observer.ts";
import type { RequestHeaders, Route } from "./route.ts";
import { fleetRoutes } from "./routes.ts";
import type { Watcher } from "./watcher.ts";

/** Room for a search of 4096 characters, each of them percent-encoded. */
const HEADER_BYTES_MAX = 64 * 1024;

/** What an API is made of. */
export interface FleetApiOptions extends PortAddress {
  readonly fleet: Fleet;
  readonly store: FleetStore;
  readonly kinds: FleetKinds;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly version: string;
  readonly buildTime?: string;
  readonly limits?: Partial<ApiLimits>;
  /** Absent: everybody may do everything. */
  readonly authenticator?: Authenticator;
  readonly limiter?: Limiter;
  readonly observer?: Observer;
  readonly tracer?: RequestTracer;
  readonly watcher?: Watcher;
  /** Routes about the other routes. */
  readonly moreRoutes?: (routes: readonly Route[]) => readonly Route[];
  /** Where /healthz and /readyz are served. */
  readonly health?: PortAddress;
  /** Where /metrics is served; needs an observer. */
  readonly metrics?: PortAddress;
}

/** Where an API listens. */
export interface FleetApiAddresses {
  readonly url: string;
  readonly port: number;
  readonly healthUrl: string | undefined;
  readonly metricsUrl: string | undefined;
}

/** The fleet over HTTP. */
export class FleetApi {
  /** All that it serves. */
  readonly routes: readonly Route[];
  readonly #options: FleetApiOptions;
  readonly #limits: ApiLimits;
  readonly #ids: UuidSource;
  readonly #dispatcher: Dispatcher;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #ports: readonly OpenPort[] = [];

  constructor(options: FleetApiOptions) {
    const { fleet, kinds, clock, random, logger, version, buildTime = "unknown", watcher } = options;
    const handlers = new Handlers({ fleet, watcher });
    const routes = fleetRoutes({ handlers, kinds, basePath: fleet.basePath, version, buildTime });
    this.#options = options;
    this.#ids = new UuidSource({ clock, random });
    this.#limits = { ...API_LIMITS, ...options.limits };
    this.routes = [...routes, ...(options.moreRoutes?.(routes) ?? [])];
    this.#dispatcher = new Dispatcher({
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

  /** Opens the ports. Throws an InputError if one of them is taken; then none is open. */
  async listen(): Promise<FleetApiAddresses> {
    const { host, port, health, metrics, store, clock, observer } = this.#options;
    const address = { port, ...(host === undefined ? {} : { host }) };
    const opened: OpenPort[] = [];
    const open = async (...given: Parameters<typeof openPort>): Promise<OpenPort> => {
      const port = await openPort(...given);
      opened.push(port);
      return port;
    };
    try {
      const isDraining = (): boolean => this.#closing.signal.aborted;
      const timeouts = { requestTimeout: this.#limits.requestTimeoutMs, maxHeaderSize: HEADER_BYTES_MAX };
      const main = await open(address, (request, response) => this.#take(request, response), timeouts);
      main.server.on("clientError", garbageHandler({ clock, ids: this.#ids }));
      // While a request is worked on nothing moves either. Watches have signs of life.
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

  /** The same without a port, for callers in this process. */
  readonly fetch: Fetch = async (request) => {
    const { pathname, search } = new URL(request.url);
    const answer = await this.#dispatcher.handle({
      method: request.method,
      target: pathname + search,
      headers: { get: (name) => request.headers.get(name) ?? undefined },
      chunks: request.body ?? noChunks(),
      signal: request.signal,
    });
    const { status, headers, body } = answer;
    const sent = body === undefined || typeof body === "string" ? (body ?? null) : ReadableStream.from(encoded(body));
    return new Response(request.method === "HEAD" ? null : sent, { status, headers });
  };

  /** Ends watches, lets requests under way finish, refuses new ones, and closes the ports. Closing twice is fine. */
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
    await Promise.allSettled(this.#underWay);
    // Everything is answered: what is still open are connections that have sent nothing, and might never.
    main.server.closeAllConnections();
    await closed.promise;
    late.cancel();
    await Promise.all(side.map((each) => each.close()));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const work = this.#reply(request, response).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const leave = (): void => {
      // A connection that is closed after its answer is no news.
      if (!response.writableFinished) gone.abort();
    };
    response.once("close", leave);
    this.#closing.signal.addEventListener("abort", leave, { once: true });
    try {
      const { method = "GET", url = "/" } = request;
      const { signal } = gone;
      // Proxies name the whole address: only path and query matter.
      const target = url.replace(/^https?:\/\/[^/?#]*/i, "");
      const answer = await this.#dispatcher.handle({
        method,
        target,
        headers: headersOf(request),
        chunks: request,
        signal,
      });
      await send(response, answer, request.headers["accept-encoding"]);
    } catch (error) {
      // The answer was there, but could not be sent: a stream that broke, a socket that is gone.
      this.#options.logger.warn("answer not sent", { error: error instanceof Error ? error.message : String(error) });
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
      // Node gives each byte as one character. Clients and gateways send UTF-8.
      return text === undefined || !/[\u0080-\u00ff]/.test(text) ? text : decodeUtf8(Buffer.from(text, "latin1"));
    },
  };
}

async function* noChunks(): AsyncGenerator<Uint8Array> {}

async function* encoded(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield encoder.encode(chunk);
}
