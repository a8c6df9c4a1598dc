import type { Condition } from "@levelset/core";
import type { WriteConflict } from "./guarded-writer.ts";
import type { AnyResult } from "./result.ts";
import type { StepRecord } from "./run.ts";

/** The writes of a run to its own object. */
export interface RunWrites {
  readonly writes: number;
  /** The writes that conflicted with those of other clients, in order. Each was made again, but for the last one of an `again`. */
  readonly conflicts: readonly WriteConflict[];
}

/** The result of a run. */
export type RunReport =
  /** Run again at once with the latest copy: our finalizer was added, or a write conflicted. No failure is counted. */
  | (RunWrites & { readonly kind: "again"; readonly why: "finalizer added" | "conflict" })
  /** Another client has removed the object meanwhile. */
  | (RunWrites & { readonly kind: "gone" })
  | (RunWrites & {
      readonly kind: "ran";
      readonly result: AnyResult;
      readonly steps: readonly StepRecord[];
      readonly conditions: readonly Condition[];
      /** A step asks for another run by then, also if all is well. */
      readonly againMs?: number | undefined;
      /** How many of its writes to contested objects put back what another client had undone. */
      readonly contested?: number;
    });
