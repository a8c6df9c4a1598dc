/** Why an object is not ready, from object to object. Begin with `why.ts`. */

export { conditionsOf, conditionState } from "./conditions.ts";
export type { KindRef } from "./children.ts";
export { kindNamed } from "./kind-word.ts";
export type { KindNames } from "./kind-word.ts";
export { generationOf, standingOf } from "./standing.ts";
export type { Standing } from "./standing.ts";
export type { ReadObject } from "./facts.ts";
export type {
  ChangeNote,
  ConditionNode,
  ConditionState,
  EventNote,
  GenerationNote,
  NodeState,
  ObjectNode,
  RunNote,
} from "./tree.ts";
export { why } from "./why.ts";
export type { Records, WhyOptions, WhySources } from "./why.ts";
