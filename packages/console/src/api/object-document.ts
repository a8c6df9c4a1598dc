import type { ConditionState, RunJson } from "@levelset/operator/internal";
import type { ObjectNode, ObjectRef } from "@levelset/operator";
import type { DisplayState } from "./row.ts";

/** A condition with its earlier states, as observed by the console or recorded by the operator. */
export interface ConditionView {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly state: ConditionState;
  readonly since?: string;
  /** Earlier states, the newest first. */
  readonly history: readonly ConditionChange[];
  /** Whether the history goes back to the creation of the object. */
  readonly isComplete: boolean;
}

/** An earlier state of a condition. */
export interface ConditionChange {
  /** The status of the condition, or the result of the run that recorded it. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: string;
}

/** An event about an object. */
export interface EventView {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly last?: string;
}

/** A field manager of an object, with time and fields. */
export interface FieldManagerView {
  readonly manager: string;
  readonly subresource: string;
  readonly time?: string;
  /** The first fields. */
  readonly fields: readonly string[];
  /** Number of further fields. */
  readonly left: number;
}

/** A line of YAML and the owners of its field. */
export interface YamlLine {
  readonly text: string;
  /** Names of the managers, with the subresource in parentheses; several if they share the field. */
  readonly owners?: readonly string[];
}

/** A reference to a related object. */
export interface RelatedObject extends ObjectRef {
  /** `touched`: a step of the last run refers to it. */
  readonly relation: "owner" | "child" | "touched";
}

/** Page of an object. Secret data is masked. */
export interface ObjectDocument {
  readonly state: DisplayState;
  readonly message: string;
  /** Explanation. `state` is `missing` if the object does not exist. */
  readonly node: ObjectNode;
  readonly uid?: string;
  readonly createdAt?: string;
  /** Finalizers. */
  readonly finalizers: readonly string[];
  readonly conditions: readonly ConditionView[];
  /** The last runs of its operator, oldest first. */
  readonly runs: readonly RunJson[];
  /** Processes that did not respond, whose runs are missing. */
  readonly unreachable: readonly string[];
  readonly events: readonly EventView[];
  readonly yaml: readonly YamlLine[];
  /** Whether something in the YAML is masked. */
  readonly isRedacted: boolean;
  /** Editable fields as YAML; absent if editing would lose data. */
  readonly editable?: string;
  readonly editRefusal?: string;
  /** Field managers, newest first. */
  readonly fieldManagers: readonly FieldManagerView[];
  readonly related: readonly RelatedObject[];
}
