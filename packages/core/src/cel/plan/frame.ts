import { CelStop } from "../value/index.ts";
import type { CelOutcome, CelValue, Meter } from "../value/index.ts";

/** Something that can be asked to stop, such as an AbortSignal. */
export interface CancelSignal {
  readonly aborted: boolean;
}

/** After how much cost the signal is looked at again. */
const SIGNAL_INTERVAL = 1_000;

/** One evaluation: the variables by slot, and what has been spent. */
export class Frame implements Meter {
  readonly slots: CelOutcome[];
  /** Costs so far. Steps outside of loops only add to it; loops and calls check it. */
  spent = 0;
  readonly limit: number;
  readonly #signal: CancelSignal | undefined;
  #nextLook = SIGNAL_INTERVAL;

  constructor(slots: CelOutcome[], limit: number, signal: CancelSignal | undefined) {
    this.slots = slots;
    this.limit = limit;
    this.#signal = signal;
  }

  /** Spends, and stops the evaluation if that is too much or if it has been cancelled. */
  spend(cost: number): void {
    this.spent += cost;
    if (this.spent > this.limit) throw new CelStop("cost");
    if (this.#signal !== undefined && this.spent >= this.#nextLook) this.#look(this.#signal);
  }

  #look(signal: CancelSignal): void {
    this.#nextLook = this.spent + SIGNAL_INTERVAL;
    if (signal.aborted) throw new CelStop("cancelled");
  }
}

/** A compiled expression. */
export type Run = (frame: Frame) => CelOutcome;

/** A compiled expression, and its value where that is always the same. */
export interface Planned {
  readonly run: Run;
  readonly constant: CelValue | undefined;
}

/** A plan that always gives the same value, at no cost. */
export function constant(value: CelValue): Planned {
  return { run: () => value, constant: value };
}

/** A plan that has to run. */
export function running(run: Run): Planned {
  return { run, constant: undefined };
}
