/** Pure functions that derive an adapter's report. Begin with `situation.ts`. */

export { completedConditions } from "./completed-conditions.ts";
export type { Evidence } from "./completed-conditions.ts";
export { progressOf, readinessIn } from "./progress.ts";
export { conditionsOf, joinCauses } from "./situation.ts";
export type { Cause, FailureKind, Situation, WorkState } from "./situation.ts";
