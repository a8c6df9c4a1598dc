import type { Caller } from "../service/index.ts";
import type { Route } from "./route.ts";

/** Limits the requests of callers. */
export interface Limiter {
  /**
   * Admits a request, or throws an `HttpProblem`: LMT-001, SVC-002. Call the returned function when the request ends.
   */
  acquire(caller: Caller, route: Route): () => void;
}
