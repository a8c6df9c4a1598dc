import { createApiServer } from "@levelset/apiserver";
import type { ApiServer, BuiltinControllerOptions, MemoryStore } from "@levelset/apiserver";
import { isJsonObject } from "@levelset/core";
import { isWrite, seededRandom, untilIdle, VirtualClock } from "@levelset/core/testing";
import type { WatchSeconds } from "@levelset/operator/internal";
import { startOperators } from "../subject/index.ts";
import type { Program } from "../subject/index.ts";
import type { CapturedState, ObservedRun } from "./captured-state.ts";
import { ClusterFaults } from "./cluster-faults.ts";
import { Connection } from "./connection.ts";
import type { SentRequest, StaleReads } from "./connection.ts";
import { ExternalCalls } from "./external-calls.ts";
import { Journal } from "./journal.ts";
import type { ObjectRecord } from "./journal.ts";
import { LEASE_KEY, SimulatedProcess } from "./simulated-process.ts";
import { WorldLog } from "./world-log.ts";
import type { WorldLogLine } from "./world-log.ts";

/** Options of {@link SimulatedCluster}. */
export interface SimulatedClusterOptions {
  /** A copy of the prepared store. */
  readonly store: MemoryStore;
  readonly program: Program;
  readonly seed: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly workloads: NonNullable<BuiltinControllerOptions["workloads"]>;
  readonly replicas: 1 | 2;
  /** Whether watches end as often as in a real process, which notices in this way that one hangs. Default: false. */
  readonly renewsWatches?: boolean;
}

/** Rounds of the event loop after which a cluster that is not idle is in a hot loop. */
const ROUNDS_MAX = 200;
const QUIET_ROUNDS = 2;
/** Renewed watches and their bookmarks would be most of the work of a long history. */
const WATCH_SECONDS: WatchSeconds = { min: 14_400, max: 21_600 };
const BOOKMARK_MS = 86_400_000;
/** Without it, an operator whose watch is late creates garbage in a loop that takes no time. */
const COLLECT_AFTER_MS = 250;

/** A cluster in memory under a virtual clock, with the processes of a program. */
export class SimulatedCluster {
  readonly clock: VirtualClock;
  readonly journal: Journal;
  readonly program: Program;
  readonly external: ExternalCalls = new ExternalCalls();
  readonly faults: ClusterFaults;
  /** All requests of processes that reached the server. */
  readonly requests: SentRequest[] = [];
  readonly runs: ObservedRun[] = [];
  readonly #server: ApiServer;
  readonly #store: MemoryStore;
  readonly #options: SimulatedClusterOptions;
  readonly #startedAt: number;
  readonly #log = new WorldLog();
  #processes: SimulatedProcess[] = [];
  #started = 0;
  #loop: string | undefined;
  #failure: string | undefined;

  constructor(options: SimulatedClusterOptions) {
    this.#options = options;
    this.program = options.program;
    this.clock = new VirtualClock(options.now);
    this.faults = new ClusterFaults(this.clock);
    this.#startedAt = this.clock.monotonic();
    this.#store = options.store;
    const { clock } = this;
    const controllers = { workloads: options.workloads, garbageCollector: { collectAfterMs: COLLECT_AFTER_MS } };
    this.#server = createApiServer({
      clock,
      random: seededRandom(options.seed),
      logger: this.#log.logger("server"),
      store: this.#store,
      controllers,
      bookmarkMs: BOOKMARK_MS,
    });
    this.journal = new Journal(this.#store);
  }

  /** The log lines of all processes and of the server. */
  get logs(): readonly WorldLogLine[] {
    return this.#log.lines;
  }

  get fetch(): ApiServer["fetch"] {
    return this.#server.fetch;
  }

  /** Virtual milliseconds since the start. */
  get elapsedMs(): number {
    return this.clock.monotonic() - this.#startedAt;
  }

  /** Why the cluster never becomes idle; undefined if it does. */
  get hotLoop(): string | undefined {
    return this.#loop;
  }

  /** Why a process has ended by itself; undefined if none has. */
  get processFailure(): string | undefined {
    return this.#failure;
  }

  /** The number of write requests of processes so far. */
  get writes(): number {
    return this.requests.filter(isWrite).length;
  }

  /** The number of read requests of processes so far. */
  get reads(): number {
    return this.requests.filter(({ method }) => method === "GET").length;
  }

  /** The process that holds the lease, or the first one if there is no election. */
  get leader(): SimulatedProcess | undefined {
    const { namespace, name } = LEASE_KEY;
    const isLease = ({ resource, object: { metadata } }: ObjectRecord): boolean =>
      resource === "leases.coordination.k8s.io" && metadata.namespace === namespace && metadata.name === name;
    const lease = this.journal.present().find(isLease);
    const spec = lease?.object["spec"];
    const holder = isJsonObject(spec) ? spec["holderIdentity"] : undefined;
    return this.#processes.find(({ identity }) => identity === holder) ?? this.#processes[0];
  }

  get processes(): readonly SimulatedProcess[] {
    return this.#processes;
  }

  /** Returns a copy of the current state, for a later stale server. */
  forkStore(): MemoryStore {
    return this.#store.fork();
  }

  /** Returns a copy of the current state, with the runs that led to it. */
  capture(): Omit<CapturedState, "events"> {
    return { store: this.forkStore(), now: this.clock.now(), atMs: this.elapsedMs, runs: [...this.runs] };
  }

  /** Starts the processes of the program that do not run. */
  start(stale?: StaleReads): void {
    while (this.#processes.length < this.#options.replicas) this.#startOne(stale);
  }

  #startOne(stale: StaleReads | undefined): void {
    const { clock } = this;
    const number = ++this.#started;
    const connection = new Connection({
      server: this.fetch,
      clock,
      clusterFaults: this.faults,
      stale,
      onRequest: (request) => this.requests.push(request),
    });
    const { seed, replicas, renewsWatches = false } = this.#options;
    this.#processes.push(
      new SimulatedProcess({
        operators: startOperators(this.program),
        connection,
        clock,
        logger: this.#log.logger("process"),
        seed: seed + 1_000 * number,
        replica: replicas === 1 ? undefined : `replica-${number}`,
        interceptor: this.external,
        watchSeconds: renewsWatches ? undefined : WATCH_SECONDS,
        onRun: (operator, record) => this.runs.push({ operator, record }),
      }),
    );
  }

  /** Stops all processes, crashed or not. */
  async stop(): Promise<void> {
    const stopping = this.#processes;
    this.#processes = [];
    for (const each of stopping) await this.#end(each);
  }

  /** Ends a process and removes it. */
  async kill(killed: SimulatedProcess): Promise<void> {
    this.#processes = this.#processes.filter((other) => other !== killed);
    await this.#end(killed);
  }

  async #end(ended: SimulatedProcess): Promise<void> {
    const hasEnded = await ended.stop();
    this.#failure ??= ended.failure?.message;
    if (ended.connection.isStorm) this.#loop ??= this.#latestRequests();
    if (!hasEnded) this.#failure ??= "the process does not end after its signal has aborted";
  }

  /** Waits until there are no more requests and writes, without advancing the clock. */
  async untilIdle(): Promise<void> {
    let quiet = 0;
    for (let round = 0; round < ROUNDS_MAX && !this.#isLooping(); round++) {
      const [requests, revision] = [this.requests.length, this.#store.revision];
      await untilIdle();
      quiet = requests === this.requests.length && revision === this.#store.revision ? quiet + 1 : 0;
      if (quiet === QUIET_ROUNDS) return;
    }
    this.#loop ??= this.#latestRequests();
  }

  /** Advances the clock, and stops early in a hot loop. Calls `onStep` when the cluster is idle in between. */
  async advance(ms: number, onStep: () => void = () => {}): Promise<void> {
    const until = this.clock.monotonic() + ms;
    await this.untilIdle();
    onStep();
    for (let steps = 0; this.clock.monotonic() < until && !this.#isLooping(); steps++) {
      const left = until - this.clock.monotonic();
      // Step from timer to timer while things happen, then in long strides.
      const next = (this.clock.nextTimerAt ?? Number.POSITIVE_INFINITY) - this.clock.now();
      const stride = steps < FINE_STEPS ? Math.max(1, Math.ceil(next)) : Math.max(left / 8, 60_000);
      await this.clock.advance(Math.min(left, stride));
      onStep();
    }
    await this.untilIdle();
  }

  #isLooping(): boolean {
    const isStorm = this.#processes.some(({ connection }) => connection.isStorm);
    if (isStorm) this.#loop ??= this.#latestRequests();
    return this.#loop !== undefined;
  }

  #latestRequests(): string {
    const latest = this.requests.slice(-3).map(({ method, path }) => `${method} ${path}`);
    return latest.length === 0 ? "the cluster does not become idle" : `the latest requests: ${latest.join(", ")}`;
  }

  /** Stops the processes and the server. */
  async close(): Promise<void> {
    await this.stop();
    this.journal.close();
    this.#server.close();
  }
}

/** Steps from timer to timer before longer ones. */
const FINE_STEPS = 40;
