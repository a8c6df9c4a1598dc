import type { StatusReason } from "../error/index.ts";

/** A fault injected into a request. */
export type Fault =
  /** The server never receives the request. */
  | { readonly kind: "refused" }
  /** The server handles the request, but the response is lost. */
  | { readonly kind: "response-lost" }
  /** The server responds with this failure and does not handle the request. */
  | { readonly kind: "status"; readonly reason: StatusReason; readonly retryAfterSeconds?: number }
  /** The request is delayed before it reaches the server. */
  | { readonly kind: "delay"; readonly ms: number }
  /** The request is lost and no response ever arrives. The transport gives up after `timeoutMs`; default: never. */
  | { readonly kind: "hang"; readonly timeoutMs?: number }
  /** The request is delivered twice. The client sees the second response. */
  | { readonly kind: "duplicate" }
  /** The server handles the request, and the client process dies. All its traffic is dropped until `restart`. */
  | { readonly kind: "crash" };

/** A fault injected into a watch event. */
export type EventFault =
  /** The event is dropped. Servers do not drop events; this proves that a client recovers by other means. */
  | { readonly kind: "drop" }
  | { readonly kind: "duplicate" }
  /** The event is delayed, and so are all later ones. */
  | { readonly kind: "delay"; readonly ms: number }
  /** The connection breaks in the middle of the event. */
  | { readonly kind: "cut" }
  /** The event is replaced by an ERROR that ends the watch. Expired stands for a compacted revision. */
  | { readonly kind: "status"; readonly reason: StatusReason };

/** A request recorded for counting. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

/** Selects the requests to count or to break. */
export type RequestFilter = (request: RecordedRequest) => boolean;

/** Selects the watch events to break. */
export type EventFilter = (watch: RecordedRequest, event: RecordedEvent) => boolean;

/** A watch event before it is delivered. */
export interface RecordedEvent {
  readonly type: string;
  readonly name: string;
}

/** Reports whether a request writes. Dry runs count as reads. */
export const isWrite: RequestFilter = ({ method, query }) =>
  method !== "GET" && method !== "HEAD" && !new URLSearchParams(query).has("dryRun");

/** Reports whether a request opens a watch. */
export const isWatch: RequestFilter = (request) => /[?&]watch=(?:true|1)\b/u.test(request.query);

/** Effects for the n-th call that passes a filter, each applied once. */
export class NthCallFaults<Filter, Effect> {
  readonly #plans: { left: number; readonly effect: Effect; readonly filter: Filter; readonly onFire: () => void }[] =
    [];

  /** `onFire` is called when the effect is applied. */
  add(nth: number, effect: Effect, filter: Filter, onFire: () => void = () => {}): void {
    this.#plans.push({ left: nth, effect, filter, onFire });
  }

  /** Counts a call and returns the effect to apply to it, if any. */
  next(passes: (filter: Filter) => boolean): Effect | undefined {
    for (const plan of this.#plans) {
      if (plan.left === 0 || !passes(plan.filter) || --plan.left > 0) continue;
      plan.onFire();
      return plan.effect;
    }
    return undefined;
  }
}

/** The planned faults of one fetch, or of several, whose requests and events are then counted together. */
export class FaultPlans {
  readonly requests: NthCallFaults<RequestFilter, Fault> = new NthCallFaults();
  readonly events: NthCallFaults<EventFilter, EventFault> = new NthCallFaults();
}
