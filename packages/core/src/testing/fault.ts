import type { Reason } from "../error/index.ts";

/** What goes wrong with a request. */
export type Fault =
  /** The server never sees it. */
  | { readonly kind: "refused" }
  /** The server does it, but the answer is lost. */
  | { readonly kind: "answer-lost" }
  /** The server answers with this failure instead of doing it. */
  | { readonly kind: "status"; readonly reason: Reason; readonly retryAfterSeconds?: number }
  /** It takes its time on the way there. */
  | { readonly kind: "delay"; readonly ms: number }
  /** No answer ever comes, and the server never sees it: a black hole. */
  | { readonly kind: "hang" }
  /** It arrives twice; the second answer is the one that is seen. */
  | { readonly kind: "duplicate" }
  /** The server does it, and at that moment the client dies: nothing of it passes any more, until `revive`. */
  | { readonly kind: "crash" };

/** What goes wrong with an event of a watch. */
export type EventFault =
  /** It is never told. No server does that; a client that depends on it has a bug that shows elsewhere. */
  | { readonly kind: "drop" }
  | { readonly kind: "duplicate" }
  /** It comes late, and so does everything behind it. */
  | { readonly kind: "delay"; readonly ms: number }
  /** The connection breaks in the middle of it. */
  | { readonly kind: "cut" }
  /** Instead of it comes an ERROR that ends the watch: Expired is how a compacted revision looks. */
  | { readonly kind: "status"; readonly reason: Reason };

/** A request that passed by, for counting. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

/** Which requests to count or to break. */
export type RequestFilter = (request: SeenRequest) => boolean;

/** Which events of which watches to break. */
export type EventFilter = (watch: SeenRequest, event: SeenEvent) => boolean;

/** An event that is about to pass by. */
export interface SeenEvent {
  readonly type: string;
  readonly name: string;
}

/** Whether a request writes. */
export const isWrite: RequestFilter = ({ method, query }) =>
  method !== "GET" && method !== "HEAD" && !new URLSearchParams(query).has("dryRun");

/** Whether a request opens a watch. */
export const isWatch: RequestFilter = (request) => /[?&]watch=(?:true|1)\b/u.test(request.query);

/** Something to do to the n-th thing that passes a filter, once. */
export class Countdown<Filter, Effect> {
  readonly #plans: { left: number; readonly effect: Effect; readonly filter: Filter }[] = [];

  add(nth: number, effect: Effect, filter: Filter): void {
    this.#plans.push({ left: nth, effect, filter });
  }

  /** Counts one thing; answers with what to do to it, if its turn has come. */
  next(passes: (filter: Filter) => boolean): Effect | undefined {
    for (const plan of this.#plans) {
      if (plan.left > 0 && passes(plan.filter) && --plan.left === 0) return plan.effect;
    }
    return undefined;
  }
}
