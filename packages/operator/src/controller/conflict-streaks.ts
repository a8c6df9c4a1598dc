import type { RunReport, WriteConflict } from "../step/index.ts";

/** Runs of one object in a row whose writes conflicted with those of other clients. */
export interface ConflictStreak {
  readonly runs: number;
  /** Whether it has just become worth a warning. */
  readonly isNew: boolean;
  /** The last of the conflicts. */
  readonly conflict: WriteConflict;
  /** For people. The same for the same conflict, so that events are counted. */
  readonly message: string;
}

/** As many runs in a row are worth a warning. */
const WARNED_FROM = 3;

/** Counts the runs of each object in a row that had a conflict. Holds nothing of objects without one. */
export class ConflictStreaks {
  readonly #runs = new Map<string, number>();

  /** Takes note of a run. Returns the streak that it is part of if that is worth a warning. */
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
    ? `${what}, so its runs are repeated; let one client alone write that field`
    : `${what}, so its writes are repeated`;
}
