import { realClock, realRandom, silentLogger } from "@levelset/core";
import type { Clock, Fetch, Logger, Random } from "@levelset/core";
import { startControllers } from "../controllers/index.ts";
import type { ControllerOptions, RunningControllers } from "../controllers/index.ts";
import { asFetch, createApi, Metrics } from "../http/index.ts";
import type { Handle } from "../http/index.ts";
import { API_AUDIENCE, Registry } from "../registry/index.ts";
import type { RequestUser } from "../registry/index.ts";
import { MemoryStore } from "../store/index.ts";
import type { Store } from "../store/index.ts";

/** The world of an embedded server. Everything has a default. */
export interface ApiServerOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  /** Where objects are kept. Default: a new `MemoryStore`. The server closes it. */
  readonly store?: Store;
  /** What runs behind the server. */
  readonly controllers?: ControllerOptions;
}

/** A Kubernetes-compatible API server in this process. */
export interface ApiServer {
  /** Answers requests. Callers in the process are trusted: no credentials are asked for. */
  readonly fetch: Fetch;
  /** The same for sockets, which know who asks. */
  readonly handle: Handle;
  /** The user of a bearer token that this server issued; undefined for any other. */
  userOfToken(token: string): RequestUser | undefined;
  /** What `/metrics` tells. */
  readonly metrics: Metrics;
  /** Names the certificate authority that clients of a socket must trust; every namespace gets it along with its service account. */
  publishCa(ca: string): void;
  /** Stops the controllers, ends all watches and refuses later writes. */
  close(): void;
}

/** Starts a server. It has the namespaces that every cluster has, and whatever the store holds. */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  const { clock = realClock, random = realRandom, logger = silentLogger, store = new MemoryStore() } = options;
  const registry = new Registry({ store, clock, random });
  const metrics = new Metrics();
  let isOpen = true;
  const api = createApi({ registry, clock, random, logger, metrics, isOpen: () => isOpen });
  const controllers = new Background();
  const started = registry
    .start()
    .then(() => controllers.start(() => startControllers({ registry, clock, random, logger }, options.controllers)));
  // A failed start is every request's answer; it must not also end the process.
  started.catch((error: unknown) => logger.error("server did not start", { error }));
  const handle: Handle = async (request) => {
    await started;
    return api(request);
  };
  return {
    fetch: asFetch(handle),
    handle,
    metrics,
    userOfToken: (token) => registry.tokens.authenticate(token, [API_AUDIENCE])?.user,
    publishCa: (ca) => controllers.publishCa(ca),
    close: () => {
      isOpen = false;
      controllers.close();
      store.close();
    },
  };
}

/** Controllers that start when the server has, unless it was closed before. */
class Background {
  #running: RunningControllers | undefined;
  #ca: string | undefined;
  #isClosed = false;

  start(start: () => RunningControllers): void {
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
