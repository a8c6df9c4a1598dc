import type { StatusOf } from "@levelset/core";
import type { ObjectRef, Operand } from "@levelset/operator";
import type { ItemAction, PruneAction } from "@levelset/operator/internal";
import type { ConditionView } from "./object-document.ts";
import type { DisplayState } from "./row.ts";

/** The live state of an object of an Operand. */
export interface OperandItem extends ObjectRef {
  readonly list: "steadyState" | "postInstall";
  readonly state: "missing" | "differs" | "applied";
  readonly health: "ready" | "progressing" | "failed" | "deleting";
  readonly message: string;
}

/** A version of an Operand that became Ready. */
export interface OperandRevisionView {
  readonly generation: number;
  readonly inventory: string;
  readonly time: string;
  readonly isCurrent: boolean;
  /** Whether its revision is stored, so that a rollback to it is possible. */
  readonly isStored: boolean;
}

/** A line of a diff. `@` marks omitted lines. */
export interface DiffLine {
  readonly sign: " " | "-" | "+" | "@";
  readonly text: string;
}

/** The planned change of one object. */
export interface PlanEntry extends ObjectRef {
  readonly action: ItemAction | PruneAction;
  readonly note: string;
  readonly diff: readonly DiffLine[];
}

/** The plan of the next run. */
export type PlanView =
  | {
      readonly kind: "plan";
      readonly items: readonly PlanEntry[];
      readonly prunes: readonly PlanEntry[];
      readonly unchanged: number;
    }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Page of an Operand. */
export interface OperandDocument {
  readonly state: DisplayState;
  readonly name: string;
  readonly uid: string;
  /** Policy for the objects when the Operand is deleted. */
  readonly deletionPolicy: "Delete" | "Orphan" | "WaitForTermination";
  readonly generation: number;
  readonly observed?: number;
  /** Absent if no run has reported it yet. */
  readonly phase?: NonNullable<StatusOf<Operand>["phase"]>;
  /** Whether `spec.suspend` is true. The state is also `paused` if the paused annotation is set. */
  readonly isSuspended: boolean;
  readonly counts?: {
    readonly total: number;
    readonly applied: number;
    readonly ready: number;
    readonly pruned: number;
  };
  readonly conditions: readonly ConditionView[];
  readonly items: readonly OperandItem[];
  /** Validation errors of the Operand. */
  readonly invalid: readonly string[];
  /** Objects that were removed from the Operand and are not pruned yet. */
  readonly pending: readonly (ObjectRef & { readonly reason: string; readonly due?: string })[];
  /** Objects whose deletion is blocked. */
  readonly blocked: readonly (ObjectRef & { readonly reason: string; readonly message: string })[];
  readonly versions: readonly OperandRevisionView[];
  readonly plan: PlanView;
}
