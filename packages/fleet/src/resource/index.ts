/** The fleet model and all decisions about it, as pure functions. Begin with `aggregate.ts`. */

export { MANDATORY_CONDITIONS, displayedReport, conditionStatusIn } from "./adapter-status.ts";
export type {
  AdapterCondition,
  AdapterStatus,
  StoredReport,
  Report,
  ReportedCondition,
  ReportedStatus,
} from "./adapter-status.ts";
export { allConditions, storedConditions, storedConditionType } from "./condition-alias.ts";
export { aggregate } from "./aggregate.ts";
export type { AggregateInput } from "./aggregate.ts";
export { decideCreate, decidePatch } from "./resource-change.ts";
export type {
  Actor,
  CreateDecision,
  NewResource,
  ResourcePatch,
  PatchDecision,
  RefusalReason,
} from "./resource-change.ts";
export type { CustomCondition } from "./custom-condition.ts";
export { labelProblems, nameProblems, referenceProblems } from "./declaration.ts";
export { DEFAULT_ENTITIES } from "./default-entities.ts";
export { decideDelete, decideForceDelete, FORCE_REASON_MAX } from "./deletion.ts";
export type { DeleteDecision, ResourceTree, ForceDeleteDecision } from "./deletion.ts";
export { adapterDeadlines, DEFAULT_TTL, dueAdapters, dueTime, passedDeadlines } from "./due.ts";
export type { AdapterDeadline, DueInput, RefreshTtl } from "./due.ts";
export type { Flips } from "./flapping.ts";
export { isFresh } from "./freshness.ts";
export type { FreshnessInput, LastReport } from "./freshness.ts";
export { decideReport } from "./intake.ts";
export type { DiscardReason, Intake, IntakeTime } from "./intake.ts";
export { adapterConditionType, ROLL_UP_TYPES } from "./kind.ts";
export type { FleetKind, ReferenceRule } from "./kind.ts";
export { readKinds } from "./fleet-kinds.ts";
export type { FleetKinds } from "./fleet-kinds.ts";
export type { FieldProblem } from "./field-problem.ts";
export { FLEET_READINESS, readObject } from "./readiness-functions.ts";
export { OBSERVED_FUTURE_MS, OBSERVED_PAST_MS, parseReport } from "./parse-report.ts";
export type { ParsedReport } from "./parse-report.ts";
export { findResourceCondition, isResourceDeleting } from "./resource.ts";
export type { Deletion, References, Resource, ResourceCondition, ResourceReference, TextMap } from "./resource.ts";
export { AVAILABLE_EXPRESSIONS, READY_EXPRESSIONS } from "./roll-up.ts";
export type { RollUp, RollUpItem, RollUps, RollUpSelf, RollUpExpressions } from "./roll-up.ts";
export { RULE_FUNCTIONS } from "./rule-functions.ts";
export { Rule, RuleError } from "./rule.ts";
export { evaluateResource } from "./evaluate-resource.ts";
export type { EvaluatedResource } from "./evaluate-resource.ts";
export { SpecSchema } from "./spec-schema.ts";
export type { SchemaComponents } from "./spec-schema.ts";
export { parseTime, timeText } from "./time.ts";
export { adapterStatusJson, BASE_PATH, resourceJson } from "./resource-json.ts";
