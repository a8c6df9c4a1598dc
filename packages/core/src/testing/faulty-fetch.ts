import { StatusError, TransportError } from "../error/index.ts";
import type { Clock } from "../time/index.ts";
import type { Fetch } from "../world/index.ts";
import { FaultPlans, isWatch } from "./fault.ts";
import type { EventFault, EventFilter, Fault, RequestFilter, RecordedRequest } from "./fault.ts";
import { FaultyStream } from "./faulty-stream.ts";

/** A fetch that records every request and injects the configured faults. */
export interface FaultyFetch {
  readonly fetch: Fetch;
  readonly requests: readonly RecordedRequest[];
  /** The number of requests so far that pass the filter. */
  count(filter: RequestFilter): number;
  /** Injects a fault into the `nth` request from now on (1 is the next one) that passes the filter, once. */
  failNth(nth: number, fault: Fault, filter?: RequestFilter): void;
  /** Injects a fault into the `nth` watch event from now on that passes the filter, once. Bookmarks count. */
  failNthEvent(nth: number, fault: EventFault, filter?: EventFilter): void;
  /** Delays watch events by `ms` from now on, in order, so that caches are stale. 0 ends it. */
  delayResponses(ms: number | (() => number)): void;
  /** The number of open watches. */
  readonly openWatches: number;
  /** Breaks the connections of all open watches. */
  cutWatches(): void;
  /** Stops delivery on all open watches without closing them: dead connections. */
  freezeWatches(): void;
  /** Whether a `crash` has happened since the last `restart`. */
  readonly isCrashed: boolean;
  /** Starts a new process in place of the crashed one. */
  restart(): void;
}

/** Options of {@link faultyFetch}. */
export interface FaultyFetchOptions {
  /** Needed by delays and timeouts. */
  readonly clock?: Clock;
  /** Faults that are shared with other fetches. Default: its own. */
  readonly plans?: FaultPlans;
}

/** Wraps a server so that a test can inject a fault into the n-th request, response or event, and count requests. */
export function faultyFetch(server: Fetch, options: FaultyFetchOptions = {}): FaultyFetch {
  return new Faults(server, options);
}

class Faults implements FaultyFetch {
  readonly requests: RecordedRequest[] = [];
  readonly #server: Fetch;
  readonly #clock: Clock | undefined;
  readonly #plans: FaultPlans;
  readonly #streams = new Set<FaultyStream>();
  #lagMs: () => number = () => 0;
  #isCrashed = false;

  constructor(server: Fetch, { clock, plans = new FaultPlans() }: FaultyFetchOptions) {
    this.#server = server;
    this.#clock = clock;
    this.#plans = plans;
  }

  get openWatches(): number {
    return this.#streams.size;
  }

  get isCrashed(): boolean {
    return this.#isCrashed;
  }

  count(filter: RequestFilter): number {
    return this.requests.filter((request) => filter(request)).length;
  }

  failNth(nth: number, fault: Fault, filter: RequestFilter = () => true): void {
    this.#plans.requests.add(nth, fault, filter);
  }

  failNthEvent(nth: number, fault: EventFault, filter: EventFilter = () => true): void {
    this.#plans.events.add(nth, fault, filter);
  }

  delayResponses(ms: number | (() => number)): void {
    this.#lagMs = typeof ms === "number" ? () => ms : ms;
  }

  cutWatches(): void {
    for (const stream of this.#streams) stream.cut();
  }

  freezeWatches(): void {
    for (const stream of this.#streams) stream.freeze();
  }

  restart(): void {
    this.#isCrashed = false;
  }

  readonly fetch: Fetch = async (request) => {
    if (this.#isCrashed) throw new TransportError("the process crashed (injected)");
    const url = new URL(request.url);
    const summary: RecordedRequest = { method: request.method, path: url.pathname, query: url.search };
    this.requests.push(summary);
    const fault = this.#plans.requests.next((filter) => filter(summary));
    const response = await (fault === undefined ? this.#server(request) : this.#break(request, fault));
    return isWatch(summary) && response.body !== null ? this.#watched(request, summary, response) : response;
  };

  #watched(request: Request, summary: RecordedRequest, response: Response): Response {
    const source = response.body;
    if (source === null) return response;
    const stream = new FaultyStream(source, {
      clock: this.#clock,
      signal: request.signal,
      faultFor: (event) => this.#plans.events.next((filter) => filter(summary, event())),
      lagMs: () => this.#lagMs(),
      onEnd: () => this.#streams.delete(stream),
    });
    this.#streams.add(stream);
    return new Response(stream.body, response);
  }

  async #break(request: Request, fault: Fault): Promise<Response> {
    switch (fault.kind) {
      case "refused":
        throw new TransportError("connection refused (injected)");
      case "response-lost":
        await this.#unanswered(request);
        throw new TransportError("connection reset (injected)");
      case "crash":
        await this.#unanswered(request);
        this.#isCrashed = true;
        this.cutWatches();
        throw new TransportError("the process crashed (injected)");
      case "duplicate":
        await this.#unanswered(request.clone());
        return this.#server(request);
      case "delay":
        await this.#sleep(fault.ms, request.signal);
        return this.#server(request);
      case "hang":
        if (fault.timeoutMs === undefined) return forever(request.signal);
        await this.#sleep(fault.timeoutMs, request.signal);
        throw new TransportError(`no response within ${fault.timeoutMs / 1_000} s (injected)`);
      case "status":
        return failure(fault);
    }
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#clock === undefined) throw new TypeError("a delay needs a clock: faultyFetch(server, { clock })");
    return this.#clock.sleep(ms, signal);
  }

  async #unanswered(request: Request): Promise<void> {
    const response = await this.#server(request);
    await response.body?.cancel();
  }
}

function failure(fault: Extract<Fault, { readonly kind: "status" }>): Response {
  const error = new StatusError(fault.reason, `${fault.reason} (injected)`);
  const headers = new Headers({ "content-type": "application/json" });
  if (fault.retryAfterSeconds !== undefined) headers.set("retry-after", String(fault.retryAfterSeconds));
  return new Response(JSON.stringify(error.toStatus()), { status: error.code, headers });
}

function forever(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(new DOMException("This operation was aborted", "AbortError"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
