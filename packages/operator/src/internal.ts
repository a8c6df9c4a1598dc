/** Shared between the packages of levelset and their tests. Not part of the public API: names may change in any release. */

export { Contention, describeDispute, UNMATCHED_RESOURCE_VERSION } from "./apply/index.ts";
export type { Contest } from "./apply/index.ts";
export type { InformerHealth } from "./cache/index.ts";
export { CachedFile, rootCause } from "./client/index.ts";
export type { WriteObserver } from "./client/index.ts";
export { CLEANED_UP, describeResult, ExternalHeldBack, RECONCILE_ANNOTATION, refOf } from "./engine/index.ts";
export type { ExternalCall, ExternalCallObject, ExternalInterceptor, ExternalVerb } from "./engine/index.ts";
export {
  conditionsOf,
  conditionState,
  createdKindOf,
  explainLines,
  generationStatusOf,
  nodeStatusOf,
  resolveKind,
} from "./explain/index.ts";
export type {
  ConditionNode,
  ConditionState,
  EventSummary,
  ExplainLine,
  ExplainLinesOptions,
  GenerationStatus,
  KindRef,
  LastChange,
  ObjectRunRecords,
} from "./explain/index.ts";
export {
  allows,
  compareRuns,
  grants,
  isServed,
  needsRule,
  requestAttributes,
  RUN_RESULTS,
  runJson,
  runOperators,
  scopedRules,
} from "./manager/index.ts";
export type {
  ControllerJson,
  RunJson,
  RunOperatorsOptions,
  RunResult,
  RunsJson,
  ScopedRule,
  StepJson,
} from "./manager/index.ts";
export {
  comparableObject,
  inspectOperand,
  isNeverOwned,
  KindResolver,
  listRevisions,
  OPERAND_GROUP,
  PENDING_CONFIRMATION,
  removalHold,
  resolveSet,
  SKIP_DELETION_WAIT,
} from "./operand/index.ts";
export type {
  InspectedItem,
  Inspection,
  InvalidManifestSet,
  ItemAction,
  KeepReason,
  LiveRef,
  PlannedItem,
  PlannedPrune,
  PlanWorld,
  PruneAction,
  RemovalReason,
} from "./operand/index.ts";
export { WorkQueue } from "./queue/index.ts";
export { creatingStepOf, NOT_OURS } from "./steps/index.ts";
export type { WatchSeconds } from "./watch/index.ts";
