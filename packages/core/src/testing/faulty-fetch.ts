import { StatusError, TransportError } from "../error/index.ts";
import type { Reason } from "../error/index.ts";
import type { Fetch } from "../world/index.ts";

/** What goes wrong with a request. */
export type Fault =
  /** The server never sees it. */
  | { readonly kind: "refused" }
  /** The server does it, but the answer is lost. */
  | { readonly kind: "answer-lost" }
  /** The server answers with this failure instead of doing it. */
  | { readonly kind: "status"; readonly reason: Reason; readonly retryAfterSeconds?: number };

/** A request that passed by, for counting. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

/** Which requests to count or to break. */
export type RequestFilter = (request: SeenRequest) => boolean;

/** Whether a request writes. */
export const isWrite: RequestFilter = (request) => request.method !== "GET" && request.method !== "HEAD";

/** A fetch that records every request and breaks the ones it was told to. */
export interface FaultyFetch {
  readonly fetch: Fetch;
  readonly seen: readonly SeenRequest[];
  /** Breaks the `nth` request (1 is the next one) from now on that passes the filter, once. */
  failNth(nth: number, fault: Fault, filter?: RequestFilter): void;
  /** How many requests passed the filter so far. */
  count(filter: RequestFilter): number;
}

/** Wraps a server so that a test can lose the n-th request or answer, n = 1, 2, …, and count what happened. */
export function faultyFetch(server: Fetch): FaultyFetch {
  const seen: SeenRequest[] = [];
  const plans: { left: number; readonly fault: Fault; readonly filter: RequestFilter }[] = [];

  const faultFor = (request: SeenRequest): Fault | undefined => {
    for (const plan of plans) {
      if (plan.left > 0 && plan.filter(request) && --plan.left === 0) return plan.fault;
    }
    return undefined;
  };

  return {
    seen,
    failNth: (nth, fault, filter = () => true) => plans.push({ left: nth, fault, filter }),
    count: (filter) => seen.filter((request) => filter(request)).length,
    fetch: async (request) => {
      const url = new URL(request.url);
      const summary: SeenRequest = { method: request.method, path: url.pathname, query: url.search };
      seen.push(summary);
      const fault = faultFor(summary);
      return fault === undefined ? server(request) : breakRequest(server, request, fault);
    },
  };
}

async function breakRequest(server: Fetch, request: Request, fault: Fault): Promise<Response> {
  if (fault.kind === "refused") throw new TransportError("connection refused (injected)");
  if (fault.kind === "answer-lost") {
    const response = await server(request);
    await response.body?.cancel();
    throw new TransportError("connection reset (injected)");
  }
  const error = new StatusError(fault.reason, `${fault.reason} (injected)`);
  const headers = new Headers({ "content-type": "application/json" });
  if (fault.retryAfterSeconds !== undefined) headers.set("retry-after", String(fault.retryAfterSeconds));
  return new Response(JSON.stringify(error.toStatus()), { status: error.code, headers });
}
