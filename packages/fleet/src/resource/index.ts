/** What a fleet holds, and every decision about it, as pure functions. Begin with `aggregate.ts`. */

export { MANDATORY_CONDITIONS, shownReport, statusIn } from "./adapter-status.ts";
export type {
  AdapterCondition,
  AdapterStatus,
  KeptReport,
  Report,
  ReportedCondition,
  ReportedStatus,
} from "./adapter-status.ts";
export { allConditions, keptConditions, keptType } from "./alias.ts";
export { aggregate } from "./aggregate.ts";
export type { AggregateInput } from "./aggregate.ts";
export { decideCreate, decidePatch } from "./change.ts";
export type { Actor, CreateDecision, NewResource, Patch, PatchDecision, Refusal } from "./change.ts";
export type { CustomCondition } from "./custom-condition.ts";
export { labelProblems, nameProblems, referenceProblems } from "./declaration.ts";
export { DEFAULT_ENTITIES } from "./default-entities.ts";
export { decideDelete, decideForceDelete, FORCE_REASON_MAX } from "./deletion.ts";
export type { DeleteDecision, Family, ForceDeleteDecision } from "./deletion.ts";
export { deadlines, DEFAULT_TTL, dueAdapters, dueTime, passedDeadlines } from "./due.ts";
export type { Deadline, DueInput, RefreshTtl } from "./due.ts";
export type { Flips } from "./flapping.ts";
export { isFresh } from "./freshness.ts";
export type { FreshnessInput, LastReport } from "./freshness.ts";
export { decideReport } from "./intake.ts";
export type { DiscardReason, Intake, IntakeTime } from "./intake.ts";
export { adapterConditionType, ROLL_UP_TYPES } from "./kind.ts";
export type { FleetKind, ReferenceRule } from "./kind.ts";
export { readKinds } from "./kinds.ts";
export type { FleetKinds } from "./kinds.ts";
export type { FieldProblem } from "./problem.ts";
export { REDACTED, redact } from "./redact.ts";
export { FLEET_READINESS, readObject } from "./readiness-functions.ts";
export { OBSERVED_FUTURE_MS, OBSERVED_PAST_MS, parseReport } from "./report.ts";
export type { ParsedReport } from "./report.ts";
export { conditionOf, isDeleting } from "./resource.ts";
export type { Deletion, References, Resource, ResourceCondition, ResourceReference, TextMap } from "./resource.ts";
export { AVAILABLE_TEXTS, READY_TEXTS } from "./roll-up.ts";
export type { RollUp, RollUpItem, RollUps, RollUpSelf, RollUpTexts } from "./roll-up.ts";
export { RULE_FUNCTIONS } from "./rule-functions.ts";
export { Rule, RuleError } from "./rule.ts";
export { settle } from "./settle.ts";
export type { Settled } from "./settle.ts";
export { SpecSchema } from "./spec-schema.ts";
export type { SchemaComponents } from "./spec-schema.ts";
export { parseTime, timeText } from "./time.ts";
export { adapterStatusJson, BASE_PATH, resourceJson } from "./wire.ts";
