import type { ConditionStatus, GenerationState, ObjectState, Severity } from "@levelset/core";
import type { ObjectRef } from "../engine/index.ts";
import type { RunResult } from "../manager/index.ts";

/** The state of an object: the four of `readinessOf`, or why the state is unknown. */
export type NodeState =
  | "ready"
  | "progressing"
  | "failed"
  | "deleting"
  /** The object does not exist. */
  | "missing"
  /** The object could not be read; the message states the reason. */
  | "unreadable"
  /** The object was not read because the limit was reached. */
  | "skipped";

/**
 * Explains the state of an object: its conditions and details, and the objects that cause its state, each with its own
 * explanation. Times are absolute (RFC 3339), so equal states give equal trees.
 */
export interface ObjectNode extends ObjectRef {
  readonly state: NodeState;
  /** The state that people see, in every view. Unknown if the object could not be read. */
  readonly objectState: ObjectState;
  readonly message: string;
  readonly generation?: GenerationStatus;
  /** When its deletion was requested. */
  readonly deletedAt?: string;
  /** Conditions other than Ready, in step order if known. Includes Ready if all others are done. */
  readonly conditions: readonly ConditionNode[];
  /** Finalizers that block the deletion, exit codes of containers, and similar facts. */
  readonly details: readonly string[];
  /** The newest warnings about it, newest first. Only if no cause explains its state. */
  readonly events: readonly EventSummary[];
  /** Causes that belong to no condition: its children that are not ready. */
  readonly causes: readonly ObjectNode[];
  /** Number of omitted causes. */
  readonly left: number;
  /** The last change of the spec. Only on the root object. */
  readonly change?: LastChange;
  /** The last run of its operator, if records were found. */
  readonly run?: RunSummary;
}

/** The generation that an object's status is for. */
export interface GenerationStatus {
  readonly latest: number;
  /** Absent if no controller has observed the object. */
  readonly observed?: number;
  readonly state: GenerationState;
}

/** The state of a condition. `pending` ones wait for an earlier step. */
export type ConditionState = "done" | "waiting" | "failing" | "failed" | "pending" | "unknown";

/** One condition of an object, and the objects that cause its state. */
export interface ConditionNode {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly severity?: Severity;
  readonly reason: string;
  readonly message: string;
  readonly state: ConditionState;
  /** When its status last changed. */
  readonly since?: string;
  /** The step that sets it, if records of the last run were found. */
  readonly step?: string;
  readonly causes: readonly ObjectNode[];
}

/** A Warning event. */
export interface EventSummary {
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly last?: string;
}

/** A change of a spec. */
export interface LastChange {
  readonly manager: string;
  readonly at: string;
  /** Whether it created the object. */
  readonly created: boolean;
  /** The fields, as `.spec.replicas`; the first few. */
  readonly fields: readonly string[];
  /** Number of further fields. */
  readonly left: number;
}

/** A run of an operator. */
export interface RunSummary {
  readonly number: number;
  readonly result: RunResult;
  readonly startedAt: string;
}
