import type { MemoryStore } from "@levelset/apiserver";
import type { RunRecord } from "@levelset/operator";

/** A run of an object, and the operator that made it. */
export interface ObservedRun {
  readonly operator: string;
  readonly record: RunRecord;
}

/** A copy of a cluster at one time. */
export interface CapturedState {
  readonly store: MemoryStore;
  /** The virtual time, in milliseconds since the epoch. */
  readonly now: number;
  /** Virtual milliseconds since the start of the run. */
  readonly atMs: number;
  /** The number of events of the story so far. */
  readonly events: number;
  /** The runs of operators so far, oldest first. */
  readonly runs: readonly ObservedRun[];
}
