/** Conditions: what steps find, and the one rule by which Ready follows from it. Begin with `finish.ts`. */

export { findCondition, isTrue, READY, resetFindings, setFinding } from "./condition.ts";
export type { Condition, ConditionStatus, Finding, Severity } from "./condition.ts";
export { finish } from "./finish.ts";
export type { FinishOptions } from "./finish.ts";
export { isReady, mirror } from "./mirror.ts";
export type { Conditioned } from "./mirror.ts";
export { badness } from "./ready.ts";
export type { RunOutcome } from "./ready.ts";
