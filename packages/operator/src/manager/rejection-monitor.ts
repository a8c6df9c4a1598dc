import { AsyncLocalStorage } from "node:async_hooks";
import { toError } from "@levelset/core/internal";
import type { Clock, Logger } from "@levelset/core";
import type { EventSink, RunningPhase, StepScope } from "../engine/index.ts";

/** Emits unhandled rejections, as `process` does. */
export interface RejectionSource {
  on(event: "unhandledRejection", listener: (reason: unknown) => void): unknown;
  off(event: "unhandledRejection", listener: (reason: unknown) => void): unknown;
}

/** Options for promises of steps that reject and are not awaited. */
export interface UnhandledRejectionOptions {
  /** Pass `process`, unless `levelset run` runs the operators. Without it, Node.js ends the process at the first one. */
  readonly source?: RejectionSource;
  /** How many rejections of unknown origin within a minute end the operators. Default: 2. */
  readonly max?: number;
}

/** Dependencies of {@link RejectionMonitor}. */
export interface RejectionMonitorOptions {
  readonly source: RejectionSource;
  readonly max: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: () => EventSink | undefined;
  /** Called for every rejection of a step. */
  readonly onDefect: (controller: string, step: string) => void;
}

interface Scope extends RunningPhase {
  readonly controller: string;
  readonly monitor: RejectionMonitor;
}

/** Shared by all managers of a process, because each of them receives all rejections. */
const SCOPES = new AsyncLocalStorage<Scope>();

const MAX = 2;
const WINDOW_MS = 60_000;

/**
 * Reports unhandled rejections. One that a step caused, usually by a forgotten `await`, is a defect of that step, and
 * the process continues. The origin of others is unknown, so that the state of the process may be inconsistent: several
 * of them within a minute end the operators.
 */
export class RejectionMonitor implements Disposable {
  /** Rejects when the operators must end. */
  readonly fatal: Promise<never>;
  readonly #options: RejectionMonitorOptions;
  readonly #end: (reason: Error) => void;
  /** Times of the latest rejections of unknown origin. */
  #unknown: readonly number[] = [];

  constructor(options: RejectionMonitorOptions) {
    this.#options = options;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {}); // the manager may have ended already
    this.fatal = promise;
    this.#end = reject;
    options.source.on("unhandledRejection", this.#onRejection);
  }

  [Symbol.dispose](): void {
    this.#options.source.off("unhandledRejection", this.#onRejection);
  }

  /** Returns the scope of the steps of a controller. */
  scope(controller: string): StepScope {
    return (running, work) => SCOPES.run({ ...running, controller, monitor: this }, work);
  }

  readonly #onRejection = (reason: unknown): void => {
    const scope = SCOPES.getStore();
    if (scope === undefined) this.#unattributed(toError(reason));
    else if (scope.monitor === this) this.#attributed(scope, toError(reason));
  };

  #attributed({ controller, step, phase, object, logger }: Scope, error: Error): void {
    const { events, onDefect } = this.#options;
    logger.error("unhandled rejection in a step: await its promises", { phase, err: error, stack: error.stack });
    const message = `${phase} of step ${step} does not await a promise, which rejected: ${error.message}`;
    events()?.record(object, { type: "Warning", reason: "UnhandledRejection", message });
    onDefect(controller, step);
  }

  #unattributed(error: Error): void {
    const { clock, logger, max = MAX } = this.#options;
    const now = clock.monotonic();
    this.#unknown = [...this.#unknown.filter((at) => now - at < WINDOW_MS), now];
    logger.error("unhandled rejection of unknown origin", { err: error, stack: error.stack });
    if (this.#unknown.length < max) return;
    const what = max > 1 ? `${max} unhandled rejections within a minute, the last one` : "unhandled rejection";
    this.#end(new Error(`${what}: ${error.message}; await every promise`, { cause: error }));
  }
}
