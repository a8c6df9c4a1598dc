import type { ObjectRef } from "@levelset/operator";
import type { ConditionView } from "./object-document.ts";

/** One object of a set, as it is. */
export interface SetItem extends ObjectRef {
  readonly stage: "steadyState" | "postInstall";
  readonly state: "missing" | "differs" | "applied";
  readonly health: "ready" | "progressing" | "failed" | "deleting";
  readonly message: string;
}

/** A version of a set that became ready. */
export interface SetVersion {
  readonly generation: number;
  readonly inventory: string;
  readonly time: string;
  readonly isCurrent: boolean;
  /** Whether it can be gone back to. */
  readonly isKept: boolean;
}

/** A line of a difference. */
export interface DiffLine {
  readonly sign: " " | "-" | "+" | "@";
  readonly text: string;
}

/** What a run would do about one object. */
export interface PlanEntry extends ObjectRef {
  readonly action: string;
  readonly note: string;
  readonly diff: readonly DiffLine[];
}

/** What a run would do now. */
export type PlanView =
  | {
      readonly kind: "plan";
      readonly items: readonly PlanEntry[];
      readonly prunes: readonly PlanEntry[];
      readonly unchanged: number;
    }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** All that is known about a set. */
export interface SetDocument {
  readonly name: string;
  readonly uid: string;
  /** What becomes of the objects when the set is deleted. */
  readonly deletionPolicy: "Delete" | "Orphan" | "WaitForTermination";
  readonly generation: number;
  readonly observed?: number;
  readonly phase: string;
  readonly isSuspended: boolean;
  readonly counts?: {
    readonly total: number;
    readonly applied: number;
    readonly ready: number;
    readonly pruned: number;
  };
  readonly conditions: readonly ConditionView[];
  readonly items: readonly SetItem[];
  /** Why the set cannot be understood; empty when it can. */
  readonly invalid: readonly string[];
  /** What is no longer asked for and still there, and why. */
  readonly pending: readonly (ObjectRef & { readonly reason: string; readonly due?: string })[];
  /** What cannot be removed, and why. */
  readonly blocked: readonly (ObjectRef & { readonly reason: string; readonly message: string })[];
  readonly versions: readonly SetVersion[];
  readonly plan: PlanView;
}
