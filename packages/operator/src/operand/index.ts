/** Operands: sets of manifests that are applied, health-checked, owned and pruned. Begin with `install-step.ts`. */

export { ClusterActiveOperand, Operand, OPERAND_GROUP } from "./operand-kinds.ts";
export { OperandRevision } from "./operand-revision.ts";
export { inspectOperand } from "./inspect.ts";
export type { InspectedItem, Inspection } from "./inspect.ts";
export { PRUNE_CONFIRMED_ANNOTATION, SKIP_DELETION_WAIT } from "./labels-and-annotations.ts";
export { planOperand } from "./plan.ts";
export type { OperandPlan, PlanWorld } from "./plan.ts";
export type { ItemAction, PlannedItem } from "./plan-applier.ts";
export type { PlannedPrune, PruneAction } from "./plan-prune.ts";
export { resolveSet } from "./resolve-set.ts";
export { KindResolver } from "./kind-resolver.ts";
export type { ResolvedKind } from "./kind-resolver.ts";
export type { ResolvedSet } from "./resolve-set.ts";
export type { InvalidManifestSet } from "./manifest-set.ts";
export { activeOperandName, describeLiveRef } from "./live-ref.ts";
export type { LiveRef } from "./live-ref.ts";
export { SECRET_MASK, redactSecrets, redactSecretsInPair, secretScrubber } from "./redaction.ts";
export { operandManager, operandOperators } from "./operators.ts";
export { manifestOf } from "./manifest-of.ts";
export { operand } from "./operand-step.ts";
export type { OperandSettings, OperandStepOptions } from "./operand-step.ts";
export { comparableObject } from "./comparable-object.ts";
