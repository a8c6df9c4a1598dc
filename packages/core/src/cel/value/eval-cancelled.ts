/** Why an evaluation was cancelled. Operators do not absorb it. */
export type CancellationCause = "cost" | "cancelled";

/**
 * Cancels an evaluation. Programs catch it and return an error; only `celToJson` and `celEqual` throw it to the caller.
 */
export class EvalCancelledError extends Error {
  override readonly name: string = "EvalCancelledError";
  readonly reason: CancellationCause;

  constructor(reason: CancellationCause) {
    super(reason === "cost" ? "the value is too large: its parts are too many" : "cancelled");
    this.reason = reason;
  }
}

/** Counts the cost of walking a value. */
export interface CostTracker {
  /** Charges a cost. Throws an `EvalCancelledError` if the limit is exceeded. */
  spend(cost: number): void;
}

/** Maximum parts of a walk without a cost limit. Values may share parts, so a small program can create a huge value. */
const PARTS_MAX = 1_000_000;

/** Returns a meter for one walk of a value. */
export class PartsCostTracker implements CostTracker {
  #left: number;

  constructor(partsMax: number = PARTS_MAX) {
    this.#left = partsMax;
  }

  spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw new EvalCancelledError("cost");
  }
}
