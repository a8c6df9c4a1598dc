import type { Clock, Fetch, Logger, Random } from "@levelset/core";
import { acceptsGzip, healthHandler, listenHttp, metricsHandler, toFetch } from "@levelset/core/http";
import type { HttpListener, ListenAddress } from "@levelset/core/http";
import type { FleetKinds } from "../resource/index.ts";
import { UuidSource } from "../service/index.ts";
import type { Fleet } from "../service/index.ts";
import type { FleetStore } from "../store/index.ts";
import type { Authenticator } from "./authenticator.ts";
import { API_LIMITS, RequestDispatcher } from "./request-dispatcher.ts";
import type { ApiLimits } from "./request-dispatcher.ts";
import { clientErrorResponder } from "./client-error.ts";
import { ResourceHandlers } from "./resource-handlers.ts";
import { fleetHealth } from "./health.ts";
import type { Limiter } from "./limiter.ts";
import type { Observer, RequestTracer } from "./observer.ts";
import type { Route } from "./route.ts";
import { fleetRoutes } from "./routes.ts";
import type { Watcher } from "./watcher.ts";

/** Large enough for a search of 4096 percent-encoded characters. */
const HEADER_BYTES_MAX = 64 * 1024;
/** Smaller bodies are not compressed. */
const GZIP_BYTES_MIN = 1_024;

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
  /** Handles a request without a socket, for callers in this process. */
  readonly fetch: Fetch;
  readonly #options: FleetApiOptions;
  readonly #limits: ApiLimits;
  readonly #ids: UuidSource;
  readonly #dispatcher: RequestDispatcher;
  #isDraining = false;
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
    this.fetch = toFetch(this.#dispatcher.handle);
  }

  /** Opens the ports. Rejects with an `InputError` if one of them is in use; no port is open then. */
  async listen(): Promise<FleetApiAddresses> {
    const { health, metrics, store, clock, observer } = this.#options;
    const opened: HttpListener[] = [];
    const open = async (...args: Parameters<typeof listenHttp>): Promise<HttpListener> => {
      const port = await listenHttp(...args);
      opened.push(port);
      return port;
    };
    try {
      const main = await this.#open(open);
      const pages = fleetHealth({ store, clock, isDraining: () => this.#isDraining });
      const side = health && (await open(healthHandler(pages), health));
      const figures = metrics && observer && (await open(metricsHandler(observer), metrics));
      return { url: main.url, port: main.port, healthUrl: side?.url, metricsUrl: figures?.url };
    } catch (error) {
      await Promise.all(opened.map((each) => each.close()));
      throw error;
    } finally {
      this.#ports = opened;
    }
  }

  /** Opens the port of the API. */
  #open(listen: typeof listenHttp): Promise<HttpListener> {
    const { host, port, clock, logger } = this.#options;
    const { requestTimeoutMs, stallMs, drainMs } = this.#limits;
    return listen(this.#dispatcher.handle, {
      port,
      ...(host === undefined ? {} : { host }),
      limits: {
        requestMs: requestTimeoutMs,
        // A socket is idle while its request is processed. Watches send heartbeats.
        socketMs: requestTimeoutMs + stallMs,
        graceMs: drainMs,
        headerBytes: HEADER_BYTES_MAX,
      },
      compression: { bytesMin: GZIP_BYTES_MIN, accepts: acceptsGzip },
      clientError: clientErrorResponder({ clock, ids: this.#ids }),
      logger,
      clock,
    });
  }

  /** Ends watches, waits for requests in flight, refuses new ones, and closes the ports. Idempotent. */
  async close(): Promise<void> {
    this.#dispatcher.drain();
    this.#isDraining = true;
    const [main, ...side] = this.#ports;
    this.#ports = [];
    await main?.close();
    await Promise.all(side.map((each) => each.close()));
  }
}
