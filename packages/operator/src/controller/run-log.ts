import { formatKey } from "@levelset/core";
import type { ObjectKey } from "@levelset/core";
import type { TriggerKind } from "../queue/index.ts";
import type { RunReport } from "../engine/index.ts";

/** Record of one run of one object. */
export interface RunRecord {
  /** Sequence number within the controller. */
  readonly number: number;
  readonly key: ObjectKey;
  readonly generation: number | undefined;
  /** All kinds of triggers since the previous run. Use these in code, not `reasons`. */
  readonly triggers: ReadonlySet<TriggerKind>;
  /** Descriptions of the triggers. Bounded: the last entry states how many more there were. */
  readonly reasons: readonly string[];
  /** The value of the annotation `levelset.dev/reconcile` in the object that the run started from. */
  readonly requested: string | undefined;
  readonly startedAt: number;
  /** Time that the key waited in the queue. */
  readonly waitedMs: number;
  readonly durationMs: number;
  readonly report: RunReport;
}

const RUNS_MAX = 20;
const OBJECTS_MAX = 2_000;

/** Keeps the latest runs of each object with their triggers and results. Bounded: the oldest are dropped first. */
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

  /** Returns the runs of one object, oldest first. */
  of(key: ObjectKey): readonly RunRecord[] {
    return [...(this.#runs.get(formatKey(key)) ?? [])];
  }

  /** Returns the latest run of each object, latest first. */
  latest(): readonly RunRecord[] {
    return [...this.#runs.values()].flatMap((runs) => runs.at(-1) ?? []).toReversed();
  }
}
