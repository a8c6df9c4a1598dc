import type { Caller } from "../service/index.ts";
import type { Route } from "./route.ts";

/** Keeps callers from taking more than their share. */
export interface Limiter {
  /** Lets a request in, or throws a problem: LMT-001, SVC-002. What it returns is called when the request has ended. */
  take(caller: Caller, route: Route): () => void;
}
