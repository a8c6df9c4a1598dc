import { realClock, realRandom, silentLogger } from "@levelset/core";
import type { Clock, Fetch, Logger, Random } from "@levelset/core";
import { toFetch } from "@levelset/core/http";
import { startControllers } from "../controllers/index.ts";
import type { BuiltinControllerOptions, ControllerManager } from "../controllers/index.ts";
import { createApiHandler, ApiServerMetrics } from "../http/index.ts";
import type { ApiHandler } from "../http/index.ts";
import { API_AUDIENCE } from "../auth/index.ts";
import { loadObjects, Registry } from "../registry/index.ts";
import type { LoadProblem } from "../registry/index.ts";
import type { RequestUser } from "../auth/index.ts";
import { MemoryStore } from "../store/index.ts";
import type { ApiObject, Store } from "../store/index.ts";

/** Options of {@link createApiServer}. All have defaults. */
export interface ApiServerOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  /** Object store. Default: a new `MemoryStore`. The server closes it. */
  readonly store?: Store;
  /**
   * Interval of the bookmarks of watches, by which clients notice dead connections. Default: one minute. Longer
   * intervals save work where much virtual time passes.
   */
  readonly bookmarkMs?: number;
  /** Built-in controllers. */
  readonly controllers?: BuiltinControllerOptions;
}

/** A Kubernetes-compatible API server in this process. */
export interface ApiServer {
  /** Handles requests. In-process callers are trusted and need no credentials. */
  readonly fetch: Fetch;
  /** Handles requests of a listener, which passes the authenticated user. */
  readonly handler: ApiHandler;
  /** Returns the user of a bearer token issued by this server, or undefined. */
  authenticateToken(token: string): RequestUser | undefined;
  /** Metrics shown at `/metrics`. */
  readonly metrics: ApiServerMetrics;
  /**
   * Stores objects of another cluster as they are, with uid, generation, managedFields, owners, finalizers, deletion time
   * and status. Only the resourceVersion is new; an object of the same name is replaced. Returns the custom resources
   * that are not valid for their CustomResourceDefinition, or that lose fields. Pass owners and dependents in one call:
   * the garbage collector deletes objects whose owners are missing. Rejects if a kind is not served.
   */
  load(objects: readonly ApiObject[]): Promise<readonly LoadProblem[]>;
  /** Sets the CA certificate of the listener. Every namespace gets it together with its service account. */
  publishCa(ca: string): void;
  /** Stops the controllers, ends all watches and rejects later writes. */
  close(): void;
}

/**
 * Starts a server with the default namespaces and the content of the store. A failed start is logged and returned as
 * the response of every request.
 */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  const { clock = realClock, random = realRandom, logger = silentLogger, store = new MemoryStore() } = options;
  const registry = new Registry({ store, clock, random });
  const metrics = new ApiServerMetrics();
  let isOpen = true;
  const { bookmarkMs } = options;
  const api = createApiHandler({ registry, clock, random, logger, metrics, bookmarkMs, isOpen: () => isOpen });
  const controllers = new Background();
  const started = registry
    .start()
    .then(() => controllers.start(() => startControllers({ registry, clock, random, logger }, options.controllers)));
  // Every request returns the error of a failed start; it must not also crash the process.
  started.catch((error: unknown) => logger.error("server did not start", { err: error }));
  const handle: ApiHandler = async (request) => {
    await started;
    return api(request);
  };
  return {
    fetch: toFetch(handle),
    handler: handle,
    metrics,
    authenticateToken: (token) => registry.tokens.authenticate(token, [API_AUDIENCE])?.user,
    load: async (objects) => {
      await started;
      return loadObjects(registry, objects);
    },
    publishCa: (ca) => controllers.publishCa(ca),
    close: () => {
      isOpen = false;
      controllers.close();
      store.close();
    },
  };
}

/** Controllers that start with the server, unless it is closed first. */
class Background {
  #running: ControllerManager | undefined;
  #ca: string | undefined;
  #isClosed = false;

  start(start: () => ControllerManager): void {
    if (this.#isClosed) return;
    this.#running = start();
    if (this.#ca !== undefined) this.#running.publishCa(this.#ca);
  }

  publishCa(ca: string): void {
    this.#ca = ca;
    this.#running?.publishCa(ca);
  }

  close(): void {
    this.#isClosed = true;
    this.#running?.close();
  }
}
