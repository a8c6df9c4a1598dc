import type { ConditionStatus, GenerationState, Severity } from "@levelset/core";
import type { ObjectRef } from "../step/index.ts";

/** How an object stands: the four of `readinessOf`, or why nobody knows. */
export type NodeState =
  | "ready"
  | "progressing"
  | "failed"
  | "deleting"
  /** There is no such object. */
  | "missing"
  /** It could not be read; the message says why. */
  | "unreadable"
  /** It was not looked at, because enough others were. */
  | "skipped";

/**
 * Why an object is as it is: its own words, and below them the objects that these are about, each with its own reason. Times are
 * RFC 3339, so the same state gives the same tree whenever it is asked for.
 */
export interface ObjectNode extends ObjectRef {
  readonly state: NodeState;
  readonly message: string;
  readonly generation?: GenerationNote;
  /** When its deletion was asked for. */
  readonly deletedAt?: string;
  /** Conditions other than Ready, in the order of the steps where that is known; Ready too where it is the only one. */
  readonly conditions: readonly ConditionNode[];
  /** What holds an object that is being deleted, or what the containers of a pod say. */
  readonly details: readonly string[];
  /** The newest warnings about it, newest first. Only where nothing below explains it. */
  readonly events: readonly EventNote[];
  /** Objects that it depends on and that no condition speaks of: its children that are not ready. */
  readonly causes: readonly ObjectNode[];
  /** How many more of these there are. */
  readonly left: number;
  /** Who changed the spec last. Only of the object that was asked about. */
  readonly change?: ChangeNote;
  /** The last run of its operator, where records of it were found. */
  readonly run?: RunNote;
}

/** Which spec an object's status speaks of. */
export interface GenerationNote {
  readonly latest: number;
  /** Absent when no controller has ever looked at it. */
  readonly observed?: number;
  readonly state: GenerationState;
}

/** How far a condition is: `pending` ones wait for an earlier step. */
export type ConditionState = "done" | "waiting" | "failing" | "failed" | "pending" | "unknown";

/** One condition of an object, and what it is about. */
export interface ConditionNode {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly severity?: Severity;
  readonly reason: string;
  readonly message: string;
  readonly state: ConditionState;
  /** Since when its status is so. */
  readonly since?: string;
  /** The step behind it, where records of the last run were found. */
  readonly step?: string;
  readonly causes: readonly ObjectNode[];
}

/** A Warning event. */
export interface EventNote {
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly last?: string;
}

/** A change of a spec. */
export interface ChangeNote {
  readonly manager: string;
  readonly at: string;
  /** Whether it made the object. */
  readonly created: boolean;
  /** The fields, as `.spec.replicas`; the first few. */
  readonly fields: readonly string[];
  /** How many more there are. */
  readonly left: number;
}

/** A run of an operator. */
export interface RunNote {
  readonly number: number;
  readonly result: string;
  readonly startedAt: string;
}
