import type { RunReport, WriteConflict } from "../engine/index.ts";

/** Consecutive runs of one object whose writes conflicted with those of other clients. */
export interface ConflictStreak {
  readonly runs: number;
  /** Whether the streak has just reached the warning threshold. */
  readonly isNew: boolean;
  /** The last of the conflicts. */
  readonly conflict: WriteConflict;
  /** Event message. Equal for equal conflicts, so that Events are counted instead of duplicated. */
  readonly message: string;
}

/** Number of consecutive runs with conflicts from which a warning is issued. */
const WARNED_FROM = 3;

/** Counts consecutive runs with conflicts per object. Stores only objects that have a streak. */
export class ConflictStreaks {
  readonly #runs = new Map<string, number>();

  /** Records a finished run. Returns its streak if that has reached the warning threshold. */
  ended(key: string, report: RunReport): ConflictStreak | undefined {
    const conflict = report.conflicts.at(-1);
    if (conflict === undefined) {
      this.#runs.delete(key);
      return undefined;
    }
    const runs = (this.#runs.get(key) ?? 0) + 1;
    this.#runs.set(key, runs);
    if (runs < WARNED_FROM) return undefined;
    return { runs, isNew: runs === WARNED_FROM, conflict, message: describe(conflict, report.kind === "again") };
  }

  forget(key: string): void {
    this.#runs.delete(key);
  }
}

function describe({ field, manager = "another client" }: WriteConflict, isRepeated: boolean): string {
  const what = `${manager} changes ${field} while this object is reconciled`;
  return isRepeated
    ? `${what}, so its runs are repeated; make sure that only one client writes that field`
    : `${what}, so its writes are repeated`;
}
