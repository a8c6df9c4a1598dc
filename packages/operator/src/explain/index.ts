/** Explains why an object is not ready by inspecting the objects that it depends on. Begin with `why.ts`. */

export { conditionsOf, conditionState } from "./conditions.ts";
export { explainLines } from "./explain-lines.ts";
export type { ExplainLine, ExplainLinesOptions } from "./explain-lines.ts";
export { createdKindOf } from "./group-kind.ts";
export type { KindRef } from "./group-kind.ts";
export { resolveKind } from "./resolve-kind.ts";
export type { KindNames } from "./resolve-kind.ts";
export { generationStatusOf, nodeStatusOf } from "./node-status.ts";
export type { NodeStatus } from "./node-status.ts";
export type { LoadedObject } from "./explain-input.ts";
export type {
  LastChange,
  ConditionNode,
  ConditionState,
  EventSummary,
  GenerationStatus,
  NodeState,
  ObjectNode,
  RunSummary,
} from "./tree.ts";
export { why } from "./why.ts";
export type { ObjectRunRecords, WhyOptions, WhySources } from "./why.ts";
