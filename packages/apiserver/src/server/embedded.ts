import { realClock, realRandom, silentLogger } from "@levelset/core";
import type { Clock, Fetch, Logger, Random } from "@levelset/core";
import { createHandler } from "../http/index.ts";
import { Registry } from "../registry/index.ts";
import { MemoryStore } from "../store/index.ts";
import type { Store } from "../store/index.ts";

/** The world of an embedded server. Everything has a default. */
export interface ApiServerOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  /** Where objects are kept. Default: a new `MemoryStore`. The server closes it. */
  readonly store?: Store;
}

/** A Kubernetes-compatible API server in this process. */
export interface ApiServer {
  /** Answers requests. Callers in the process are trusted: no credentials are asked for. */
  readonly fetch: Fetch;
  /** Ends all watches and refuses later writes. */
  close(): void;
}

/** Starts a server. It has the namespaces `default` and `kube-system`, and whatever the store holds. */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  const { clock = realClock, random = realRandom, logger = silentLogger, store = new MemoryStore() } = options;
  const registry = new Registry({ store, clock, random });
  const handle = createHandler({ registry, clock, random, logger });
  const started = registry.start();
  // A failed start is every request's answer; it must not also end the process.
  started.catch((error: unknown) => logger.error("server did not start", { error }));
  return {
    fetch: async (request) => {
      await started;
      return handle(request);
    },
    close: () => store.close(),
  };
}
