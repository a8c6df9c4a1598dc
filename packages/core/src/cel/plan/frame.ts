import { EvalCancelledError } from "../value/index.ts";
import type { CelOutcome, CelValue, CostTracker } from "../value/index.ts";

/** A cancellation signal, such as an AbortSignal. */
export interface CancelSignal {
  readonly aborted: boolean;
}

/** Cost between checks of the signal. */
const SIGNAL_INTERVAL = 1_000;

/** The state of one evaluation: variables by slot, and the cost. */
export class ExecutionFrame implements CostTracker {
  readonly slots: CelOutcome[];
  /** The cost so far. Steps outside of loops only add to it; loops and calls check it. */
  spent = 0;
  readonly limit: number;
  readonly #signal: CancelSignal | undefined;
  #nextCheck = SIGNAL_INTERVAL;

  constructor(slots: CelOutcome[], limit: number, signal: CancelSignal | undefined) {
    this.slots = slots;
    this.limit = limit;
    this.#signal = signal;
  }

  /** Charges a cost. Cancels the evaluation if the limit is exceeded or the signal is aborted. */
  spend(cost: number): void {
    this.spent += cost;
    if (this.spent > this.limit) throw new EvalCancelledError("cost");
    if (this.#signal !== undefined && this.spent >= this.#nextCheck) this.#look(this.#signal);
  }

  #look(signal: CancelSignal): void {
    this.#nextCheck = this.spent + SIGNAL_INTERVAL;
    if (signal.aborted) throw new EvalCancelledError("cancelled");
  }
}

/** A compiled expression. */
export type EvalFunction = (frame: ExecutionFrame) => CelOutcome;

/** A compiled expression, and its value if it is constant. */
export interface PlannedExpr {
  readonly run: EvalFunction;
  readonly constant: CelValue | undefined;
}

/** Returns a plan with a constant value, without cost. */
export function constantExpr(value: CelValue): PlannedExpr {
  return { run: () => value, constant: value };
}

/** Returns a plan that must be evaluated. */
export function dynamicExpr(run: EvalFunction): PlannedExpr {
  return { run, constant: undefined };
}
