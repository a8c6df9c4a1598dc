export type { KindRef } from "./children.ts";
export { kindNamed } from "./kind-word.ts";
export type { KindNames } from "./kind-word.ts";
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
