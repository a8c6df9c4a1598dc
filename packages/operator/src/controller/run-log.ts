import { formatKey } from "@levelset/core";
import type { ObjectKey } from "@levelset/core";
import type { TriggerKind } from "../queue/index.ts";
import type { RunReport } from "../step/index.ts";

/** One run of one object, as it is recorded. */
export interface RunRecord {
  /** Counts the runs of one controller. */
  readonly number: number;
  readonly key: ObjectKey;
  readonly generation: number | undefined;
  /** Every kind of trigger since the run before. Branch on these, not on `reasons`. */
  readonly triggers: ReadonlySet<TriggerKind>;
  /** The triggers in words, for people: a bounded number, the last entry says how many more there were. */
  readonly reasons: readonly string[];
  /** The value of the annotation `levelset.dev/reconcile` in the object that the run started from. */
  readonly requested: string | undefined;
  readonly startedAt: number;
  /** How long it waited for its turn. */
  readonly waitedMs: number;
  readonly durationMs: number;
  readonly report: RunReport;
}

const RUNS_MAX = 20;
const OBJECTS_MAX = 2_000;

/** The latest runs of each object, for people who ask why something ran and what came of it. Bounded; the oldest go first. */
export class RunLog {
  /** key → its runs, oldest first. Objects in the order of their latest run. */
  readonly #runs = new Map<string, RunRecord[]>();

  add(record: RunRecord): void {
    const key = formatKey(record.key);
    const runs = this.#runs.get(key) ?? [];
    runs.push(record);
    if (runs.length > RUNS_MAX) runs.shift();
    this.#runs.delete(key);
    this.#runs.set(key, runs);
    if (this.#runs.size <= OBJECTS_MAX) return;
    for (const oldest of this.#runs.keys()) {
      this.#runs.delete(oldest);
      return;
    }
  }

  /** The runs of one object, oldest first. */
  of(key: ObjectKey): readonly RunRecord[] {
    return [...(this.#runs.get(formatKey(key)) ?? [])];
  }

  /** The latest run of each object, latest first. */
  latest(): readonly RunRecord[] {
    return [...this.#runs.values()].flatMap((runs) => runs.at(-1) ?? []).toReversed();
  }
}
