export * from "./client/index.ts";
export { Cache, InformerHandle, Informer } from "./cache/index.ts";
export type {
  CacheHealth,
  CacheOptions,
  ChangeContext,
  ChangeListener,
  IndexFunction,
  InformerHealth,
  InformerOptions,
  ObjectChange,
  ChangeOrigin,
  WatchFailure,
  WatchPhase,
} from "./cache/index.ts";
export { Contention, describeDispute, ObjectContention } from "./apply/index.ts";
export type { ApplyCache, Contest, ContentionTarget, Dispute, ThrottleLimits } from "./apply/index.ts";
export * from "./queue/index.ts";
export * from "./engine/index.ts";
export { enqueueFromMap } from "./controller/index.ts";
export type {
  ControllerHealth,
  ControllerListener,
  HotLoop,
  HotLoopLimits,
  RunRecord,
  WatchRule,
  WatchRuleOptions,
} from "./controller/index.ts";
export { UNMATCHED_RESOURCE_VERSION } from "./apply/index.ts";
export { DEFAULT_ELECTION_TIMES, Fence } from "./leader/index.ts";
export type { ElectionTimes } from "./leader/index.ts";
export * from "./manager/index.ts";
export * from "./steps/index.ts";
export * from "./explain/index.ts";
export * from "./operand/index.ts";
