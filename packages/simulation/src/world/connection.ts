import type { Fetch } from "@levelset/core";
import { StatusError, TransportError } from "@levelset/core";
import { whenAborted } from "@levelset/core/internal";
import { faultyFetch, isWatch, isWrite, untilIdle } from "@levelset/core/testing";
import type { FaultyFetch, RecordedRequest, VirtualClock } from "@levelset/core/testing";
import { isOfLease } from "./bookkeeping.ts";
import type { ClusterFaults } from "./cluster-faults.ts";

/** A request of a process and the status code of the response; 0 if the request did not reach the server. */
export interface SentRequest extends RecordedRequest {
  readonly code: number;
  /** Why a write was refused with code 422. */
  readonly refusal?: Refusal;
}

/** The Status of a refused write. */
export interface Refusal {
  readonly message: string;
  /** The message of each cause, which does not name the field. */
  readonly causes: readonly string[];
}

/**
 * Requests of one process within {@link STORM_MS} after which it is stopped, because it is in a loop: some, and more for
 * each path, as a set of a hundred objects that changes three times needs thousands. A loop may send to new paths.
 */
const REQUESTS = { base: 1_500, perPath: 60, most: 10_000 } as const;
/** A healthy process of many kinds renews its watches several times per hour, so days have more requests than a loop. */
const STORM_MS = 3_600_000;
/** Every so many requests, the event loop turns, so that a loop of promises does not block the process. */
const BREATH = 100;

/** Options of {@link Connection}. */
export interface ConnectionOptions {
  readonly server: Fetch;
  readonly clock: VirtualClock;
  /** The faults of the cluster, which outlive the connection. */
  readonly clusterFaults: ClusterFaults;
  /** Answers the lists of informers instead of the server. */
  readonly stale?: StaleReads | undefined;
  readonly onRequest: (request: SentRequest) => void;
}

/**
 * The lists of an API server that has fallen behind. Only informers get them: a direct list without a resourceVersion is
 * a consistent read (docs: Kubernetes API Concepts, Resource versions).
 */
export interface StaleReads {
  readonly fetch: Fetch;
  /** Until this monotonic time. */
  readonly untilMs: number;
}

/** The connection of one simulated process to the server, with its faults. */
export class Connection {
  readonly faults: FaultyFetch;
  readonly #options: ConnectionOptions;
  #count = 0;
  /** The paths of the counted requests. */
  readonly #counted = new Set<string>();
  /** Since when requests are counted. */
  #countedSinceMs: number;
  #isStorm = false;
  #isSevered = false;
  /** Collections that an informer lists in pages, because the stale server refused to stream them. */
  readonly #paged = new Set<string>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#countedSinceMs = options.clock.monotonic();
    const { clock, clusterFaults } = options;
    this.faults = faultyFetch((request) => this.#serve(request), { clock, plans: clusterFaults.plans });
    this.holdEvents(() => 0);
  }

  /** Whether the process has sent more requests than any healthy one. */
  get isStorm(): boolean {
    return this.#isStorm;
  }

  /** Whether the process has died: its requests are not answered any more. */
  get isDead(): boolean {
    return this.#isSevered || this.faults.isCrashed;
  }

  /** Ends the connection for good: the process has died. */
  sever(): void {
    this.#isSevered = true;
    this.faults.cutWatches();
  }

  /** Watch events are late by this time, if those of the cluster are not later. */
  holdEvents(heldMs: () => number): void {
    const { clusterFaults } = this.#options;
    this.faults.delayResponses(() => Math.max(clusterFaults.lagMs(), heldMs()));
  }

  readonly fetch: Fetch = async (request) => {
    // A dead process does nothing. It is not known to its code that its requests are not answered any more.
    if (this.isDead) await whenAborted(request.signal);
    request.signal.throwIfAborted();
    const { pathname } = new URL(request.url);
    if (!isOfLease({ path: pathname })) this.#countRequest(pathname);
    if (this.#isStorm) throw new TransportError("the simulation has stopped this process: too many requests");
    if (this.#count % BREATH === 0) await untilIdle();
    return this.faults.fetch(request);
  };

  #countRequest(path: string): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#countedSinceMs >= STORM_MS) {
      this.#countedSinceMs = now;
      this.#count = 0;
      this.#counted.clear();
    }
    this.#count += 1;
    this.#counted.add(path);
    const { base, perPath, most } = REQUESTS;
    this.#isStorm ||= this.#count > Math.min(most, base + perPath * this.#counted.size);
  }

  async #serve(request: Request): Promise<Response> {
    const { clock, clusterFaults, server, stale } = this.#options;
    if (clusterFaults.isInterrupted()) throw new TransportError("connection refused (injected)");
    const url = new URL(request.url);
    const sent: RecordedRequest = { method: request.method, path: url.pathname, query: url.search };
    const isBehind = stale !== undefined && clock.monotonic() < stale.untilMs && isList(sent);
    if (isBehind && url.searchParams.has("sendInitialEvents")) {
      this.#paged.add(sent.path);
      return streamingRefused();
    }
    const isStale = isBehind && url.searchParams.has("limit") && this.#paged.has(sent.path);
    const response = await (isStale ? stale.fetch : server)(request);
    const { status: code } = response;
    const refusal = code === 422 && isWrite(sent) ? await refusalOf(response.clone()) : undefined;
    this.#options.onRequest({ ...sent, code, ...(refusal === undefined ? {} : { refusal }) });
    return response;
  }
}

/** Reports whether a request lists a collection, also as the start of a watch. */
function isList(request: RecordedRequest): boolean {
  if (request.method !== "GET") return false;
  if (request.query.includes("sendInitialEvents")) return true;
  if (isWatch(request)) return false;
  return /^\/(?:api|apis\/[^/]+)\/[^/]+\/(?:namespaces\/[^/]+\/)?[^/]+$/u.test(request.path);
}

/** Returns the answer of a server without streamed lists, so that the client sends a list request. */
function streamingRefused(): Response {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Invalid", code: 422 };
  return new Response(JSON.stringify(status), { status: 422, headers: { "content-type": "application/json" } });
}

async function refusalOf(response: Response): Promise<Refusal> {
  const { message, details } = StatusError.fromResponse(response.status, await response.json());
  return { message, causes: (details?.causes ?? []).map((cause) => cause.message ?? "") };
}
