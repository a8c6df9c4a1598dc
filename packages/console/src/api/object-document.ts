import type { ConditionState, ObjectNode, ObjectRef, RunJson } from "@levelset/operator";

/** A condition as it stands, and as it was, as far as the console saw it or its operator has records. */
export interface ConditionView {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly state: ConditionState;
  readonly since?: string;
  /** Earlier states, the newest first. */
  readonly history: readonly ConditionChange[];
  /** Whether its states are known since the object was made. */
  readonly isWhole: boolean;
}

/** A state that a condition had. */
export interface ConditionChange {
  /** A status; of a run's record, how the run ended for it. */
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

/** Who wrote an object last through some door, when, and what is theirs since. */
export interface WriterView {
  readonly manager: string;
  readonly subresource: string;
  readonly time?: string;
  /** Some of the fields. */
  readonly fields: readonly string[];
  /** How many more there are. */
  readonly left: number;
}

/** A line of YAML, and who owns the field on it. */
export interface YamlLine {
  readonly text: string;
  /** The names of managers, and of what they wrote through; several where they share it. */
  readonly owners?: readonly string[];
}

/** An object beside another one. */
export interface RelatedObject extends ObjectRef {
  /** `touched`: a run of its operator was about it. */
  readonly relation: "owner" | "child" | "touched";
}

/** All that is known about one object. Values of Secrets are masked. */
export interface ObjectDocument {
  /** Why it is as it is. `state` says whether it is there at all. */
  readonly node: ObjectNode;
  readonly uid?: string;
  readonly createdAt?: string;
  /** Who must agree before it goes. */
  readonly finalizers: readonly string[];
  readonly conditions: readonly ConditionView[];
  /** The last runs of its operator, oldest first. */
  readonly runs: readonly RunJson[];
  /** Why there may be fewer than there were: processes that do not answer. */
  readonly silent: readonly string[];
  readonly events: readonly EventView[];
  readonly yaml: readonly YamlLine[];
  /** Whether something in the YAML is masked. */
  readonly isMasked: boolean;
  /** What of it can be edited, as YAML; absent where that would lose something, and `uneditable` says what. */
  readonly editable?: string;
  readonly uneditable?: string;
  /** Who wrote it, the newest first. */
  readonly writers: readonly WriterView[];
  readonly related: readonly RelatedObject[];
}
