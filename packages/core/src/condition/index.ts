/** Conditions: updates reported by steps, and the rule that computes Ready. Begin with `compute-conditions.ts`. */

export {
  findCondition,
  INIT,
  isConditionTrue,
  READY,
  initialConditionUpdates,
  setConditionUpdate,
} from "./condition.ts";
export type { Condition, ConditionStatus, ConditionUpdate, Severity } from "./condition.ts";
export { combineConditionUpdates, joinMessages } from "./combine-updates.ts";
export { MESSAGE_MAX } from "./condition-message.ts";
export { computeConditions } from "./compute-conditions.ts";
export type { ComputeConditionsOptions } from "./compute-conditions.ts";
export { isReady, mirrorReady } from "./mirror-ready.ts";
export type { ObjectWithConditions } from "./mirror-ready.ts";
export { decideState, SUSPENDED } from "./object-state.ts";
export type { ObjectState, StateFacts } from "./object-state.ts";
export { INCOMPLETE, severityRank } from "./ready.ts";
export type { ReconcileOutcome } from "./ready.ts";
