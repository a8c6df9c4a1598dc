/** Why an evaluation ended before it had a result. No operator absorbs it. */
export type StopReason = "cost" | "cancelled";

/** Ends an evaluation from within. Programs catch it and answer with an error; only `celToJson` and `celEqual` let it out. */
export class CelStop extends Error {
  override readonly name: string = "CelStop";
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(reason === "cost" ? "the value is too large: its parts are too many" : "cancelled");
    this.reason = reason;
  }
}

/** What going through a value is paid from. */
export interface Meter {
  /** Spends, and throws a `CelStop` when that was too much. */
  spend(cost: number): void;
}

/** How many parts are gone through where nobody counts. Values may share parts, so a small program can make a huge value. */
const PARTS_MAX = 1_000_000;

/** A meter for one walk through a value. */
export class PartsMeter implements Meter {
  #left: number;

  constructor(partsMax: number = PARTS_MAX) {
    this.#left = partsMax;
  }

  spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw new CelStop("cost");
  }
}
