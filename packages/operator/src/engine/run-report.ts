import type { Condition } from "@levelset/core";
import type { WriteConflict } from "./guarded-writer.ts";
import type { AnyResult } from "./step/result.ts";
import type { StepRecord } from "./reconcile-run.ts";

/** The writes of a run to its own object. */
export interface RunWrites {
  readonly writes: number;
  /**
   * The conflicts with writes of other clients, in order. Each write was retried, except the last one of an `again`
   * report.
   */
  readonly conflicts: readonly WriteConflict[];
}

/** The result of a run. */
export type RunReport =
  /**
   * The object must be reconciled again at once: our finalizer was added, or a write conflicted. Not counted as a
   * failure.
   */
  | (RunWrites & { readonly kind: "again"; readonly why: "finalizer added" | "conflict" })
  /** The object was deleted during the run. */
  | (RunWrites & { readonly kind: "gone" })
  | (RunWrites & {
      readonly kind: "ran";
      readonly result: AnyResult;
      readonly steps: readonly StepRecord[];
      readonly conditions: readonly Condition[];
      /** Delay until the next run that a step requested, even if this run succeeded. */
      readonly requeueAfterMs?: number | undefined;
      /** Number of writes that restored what another client had undone. */
      readonly contested?: number;
    });
