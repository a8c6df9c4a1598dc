/** The fleet model and all decisions about it, as pure functions. Begin with `aggregate.ts`. */

export { MANDATORY_CONDITIONS, displayedReport, conditionStatusIn } from "./report/adapter-status.ts";
export type {
  AdapterCondition,
  AdapterStatus,
  StoredReport,
  Report,
  ReportedCondition,
  ReportedStatus,
} from "./report/adapter-status.ts";
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
export type { CustomCondition } from "./rule/custom-condition.ts";
export { labelProblems, nameProblems, referenceProblems } from "./declaration.ts";
export { DEFAULT_ENTITIES } from "./kind/default-entities.ts";
export { decideDelete, decideForceDelete, FORCE_REASON_MAX } from "./deletion.ts";
export type { DeleteDecision, ResourceTree, ForceDeleteDecision } from "./deletion.ts";
export { adapterDeadlines, DEFAULT_TTL, dueAdapters, dueTime, passedDeadlines } from "./due.ts";
export type { AdapterDeadline, DueInput, RefreshTtl } from "./due.ts";
export type { Flips } from "./report/flapping.ts";
export { isFresh } from "./report/freshness.ts";
export type { FreshnessInput, LastReport } from "./report/freshness.ts";
export { decideReport } from "./report/intake.ts";
export type { DiscardReason, Intake, IntakeTime } from "./report/intake.ts";
export { adapterConditionType, ROLL_UP_TYPES } from "./kind/kind.ts";
export type { FleetKind, ReferenceRule } from "./kind/kind.ts";
export { readKinds } from "./kind/fleet-kinds.ts";
export type { FleetKinds } from "./kind/fleet-kinds.ts";
export type { FieldProblem } from "./field-problem.ts";
export { FLEET_READINESS, readObject } from "./rule/readiness-functions.ts";
export { OBSERVED_FUTURE_MS, OBSERVED_PAST_MS, parseReport } from "./report/parse-report.ts";
export type { ParsedReport } from "./report/parse-report.ts";
export { findResourceCondition, isResourceDeleting } from "./resource.ts";
export type { Deletion, References, Resource, ResourceCondition, ResourceReference, TextMap } from "./resource.ts";
export { AVAILABLE_EXPRESSIONS, READY_EXPRESSIONS } from "./rule/roll-up.ts";
export type { RollUp, RollUpItem, RollUps, RollUpSelf, RollUpExpressions } from "./rule/roll-up.ts";
export { RULE_FUNCTIONS } from "./rule/rule-functions.ts";
export { Rule, RuleError } from "./rule/rule.ts";
export { evaluateResource } from "./evaluate-resource.ts";
export type { EvaluatedResource } from "./evaluate-resource.ts";
export { SpecSchema } from "./kind/spec-schema.ts";
export type { SchemaComponents } from "./kind/spec-schema.ts";
export { parseTime, timeText } from "./time.ts";
export { adapterStatusJson, BASE_PATH, resourceJson } from "./resource-json.ts";
