import type { AnyCustomKind } from "../kind/index.ts";
import type { Logger } from "../log/index.ts";
import type { Clock, Random } from "../time/index.ts";

/**
 * The seam: a server is a function from Request to Response, and a client takes such a function. Only path and query of a
 * request's URL matter; whoever connects the function to a socket knows the host.
 */
export type Fetch = (request: Request) => Promise<Response>;

/** The origin that clients write into a Request; a connection replaces it with the server's own. */
export const CLUSTER_ORIGIN: string = "http://cluster.invalid";

/** All that a part of the system may know of the world outside it. */
export interface World {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Anything that runs against a cluster until told to stop: an operator, a set of controllers. `start` resolves after
 * `signal` aborted and all its work has ended; it rejects only when it cannot go on at all.
 */
export interface Runnable {
  readonly name: string;
  /** The declared kinds that the cluster must serve; whoever runs it may install them first. */
  readonly kinds?: readonly AnyCustomKind[];
  start(world: World): Promise<void>;
}
