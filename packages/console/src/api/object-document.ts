import type { ConditionState, ObjectNode, ObjectRef, RunJson } from "@levelset/operator";

/** A condition as it stands, and as it was while the console looked. */
export interface ConditionView {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly state: ConditionState;
  readonly since?: string;
  /** Earlier states, the newest first. */
  readonly history: readonly ConditionChange[];
}

/** A state that a condition had. */
export interface ConditionChange {
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

/** A line of YAML, and who owns the field on it. */
export interface YamlLine {
  readonly text: string;
  /** The names of managers, and of what they wrote through; several where they share it. */
  readonly owners?: readonly string[];
}

/** An object beside another one. */
export interface RelatedObject extends ObjectRef {
  readonly relation: "owner" | "child";
}

/** All that is known about one object. Values of Secrets are masked. */
export interface ObjectDocument {
  /** Why it is as it is. `state` says whether it is there at all. */
  readonly node: ObjectNode;
  readonly createdAt?: string;
  readonly conditions: readonly ConditionView[];
  /** The last runs of its operator, oldest first. */
  readonly runs: readonly RunJson[];
  /** Why there may be fewer than there were: processes that do not answer. */
  readonly silent: readonly string[];
  readonly events: readonly EventView[];
  readonly yaml: readonly YamlLine[];
  /** Whether something in the YAML is masked: it cannot be edited here. */
  readonly isMasked: boolean;
  readonly related: readonly RelatedObject[];
}
