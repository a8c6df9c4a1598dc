import type { AnyCustomKind } from "../kind/index.ts";
import type { Logger } from "../log/index.ts";
import type { Clock, Random } from "../time/index.ts";

/**
 * A server as a function from Request to Response; clients take such a function. Only path and query of the request's
 * URL matter. The code that connects the function to a socket sets the host.
 */
export type Fetch = (request: Request) => Promise<Response>;

/** The origin that clients write into a Request. A connection replaces it with the origin of the server. */
export const CLUSTER_ORIGIN: string = "http://cluster.invalid";

/** The external dependencies of a component. */
export interface World {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * A component that runs against a cluster until its signal aborts: an operator, a set of controllers. `start` resolves
 * after `signal` aborted and all its work has ended. It rejects only on unrecoverable failures.
 */
export interface Runnable {
  readonly name: string;
  /** Custom kinds that the cluster must serve. The runner may install them first. */
  readonly kinds?: readonly AnyCustomKind[];
  start(world: World): Promise<void>;
}
