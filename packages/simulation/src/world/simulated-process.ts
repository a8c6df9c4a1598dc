import { isAbortError } from "@levelset/core";
import { BACKOFFS, toError } from "@levelset/core/internal";
import type { Logger, ObjectKey } from "@levelset/core";
import { seededRandom, untilIdle } from "@levelset/core/testing";
import type { VirtualClock } from "@levelset/core/testing";
import type { ManagedOperator, RunRecord } from "@levelset/operator";
import { runOperators } from "@levelset/operator/internal";
import type { ExternalInterceptor, WatchSeconds } from "@levelset/operator/internal";
import type { Connection } from "./connection.ts";
import { ProcessClock } from "./process-clock.ts";
import { isRefusedConnection } from "./refuse-network.ts";
import { withListener } from "./world-rejections.ts";
import type { RejectionListener } from "./world-rejections.ts";

/** Options of {@link SimulatedProcess}. */
export interface SimulatedProcessOptions {
  readonly operators: readonly ManagedOperator[];
  readonly connection: Connection;
  readonly clock: VirtualClock;
  readonly logger: Logger;
  readonly seed: number;
  /** Identity in the leader election; absent if there is one process only. */
  readonly replica?: string | undefined;
  readonly interceptor: ExternalInterceptor;
  readonly onRun: (operator: string, record: RunRecord) => void;
  /** Requested duration of a watch. Default: that of a real process. */
  readonly watchSeconds?: WatchSeconds | undefined;
}

/** Long terms, because every renewal costs simulated work. */
const ELECTION_TIMES = {
  leaseDurationMs: 300_000,
  renewDeadlineMs: 225_000,
  retryPeriodMs: BACKOFFS.leaderElection.firstMs * 36,
};
const STOP_ROUNDS = 100;
/** The Lease of the replicas. */
export const LEASE_KEY: Required<ObjectKey> = { namespace: "default", name: "simulation" };

/** One process of an operator. */
export class SimulatedProcess {
  readonly connection: Connection;
  /** The identity in the leader election; undefined if there is none. */
  readonly identity: string | undefined;
  readonly #clock: ProcessClock;
  readonly #abort = new AbortController();
  readonly #options: SimulatedProcessOptions;
  #failure: Error | undefined;
  readonly #rejectionListeners = new Set<RejectionListener>();
  #hasEnded = false;

  constructor(options: SimulatedProcessOptions) {
    this.#options = options;
    const { connection, replica, seed } = options;
    this.connection = connection;
    this.#clock = new ProcessClock(options.clock);
    this.identity = replica === undefined ? undefined : `${replica}-${seed}`;
    void withListener(
      (reason) => this.onRejection(reason),
      () => this.#run(),
    );
  }

  /** Receives an unhandled rejection. Those of a process that ends or has died, or without a network, have no effect. */
  onRejection(reason: unknown): void {
    if (this.#abort.signal.aborted || this.connection.isDead || isRefusedConnection(reason)) return;
    for (const listener of this.#rejectionListeners) listener(reason);
  }

  /** The error with which the process has ended by itself. A replica that loses its lease does so on purpose. */
  get failure(): Error | undefined {
    return this.#options.replica === undefined ? this.#failure : undefined;
  }

  /** Whether a planned crash has occurred, or the process has ended by itself. */
  get isCrashed(): boolean {
    return this.connection.faults.isCrashed || (this.#hasEnded && !this.#abort.signal.aborted);
  }

  /** Stalls the process: its timers, and the watch events that arrive, wait until it continues. */
  stall(ms: number): void {
    this.#clock.stall(ms);
    this.connection.holdEvents(() => this.#clock.stalledMs);
  }

  /** Stops the process. Returns whether it ended; a dead one need not. A stalled one is killed: it receives no signal. */
  async stop(): Promise<boolean> {
    if (this.#clock.stalledMs > 0) this.connection.sever();
    this.#abort.abort();
    const { isDead } = this.connection;
    for (let round = 0; round < (isDead ? 1 : STOP_ROUNDS) && !this.#hasEnded; round++) await untilIdle();
    return this.#hasEnded || isDead;
  }

  async #run(): Promise<void> {
    const { operators, logger, seed, interceptor, onRun, watchSeconds } = this.#options;
    const { identity } = this;
    const clock = this.#clock;
    const { signal } = this.#abort;
    const observed = operators.map((operator) => observe(operator, onRun));
    const world = { fetch: this.connection.fetch, clock, random: seededRandom(seed), logger, signal };
    const leaderElection =
      identity === undefined ? {} : { leaderElection: { ...LEASE_KEY, identity, times: ELECTION_TIMES } };
    const source = {
      on: (_: string, listener: RejectionListener) => this.#rejectionListeners.add(listener),
      off: (_: string, listener: RejectionListener) => this.#rejectionListeners.delete(listener),
    };
    const options = { ...leaderElection, externalInterceptor: interceptor, watchSeconds };
    try {
      await runOperators(observed, world, { ...options, unhandledRejections: { source } });
    } catch (error) {
      if (!(signal.aborted && isAbortError(error))) this.#failure = toError(error);
    } finally {
      this.#hasEnded = true;
    }
  }
}

/** Returns the operator with a listener for its runs. */
function observe(operator: ManagedOperator, onRun: SimulatedProcessOptions["onRun"]): ManagedOperator {
  return {
    name: operator.name,
    kinds: operator.kinds,
    rbac: operator.rbac,
    createController: (runtime) =>
      operator.createController({
        ...runtime,
        listener: {
          ...runtime.listener,
          onRun: (record) => {
            runtime.listener.onRun?.(record);
            onRun(operator.name, record);
          },
        },
      }),
  };
}
