/**
 * Operands: sets of manifests that are applied, health-checked, owned and pruned. `spec` parses the set, `inventory`
 * owns its objects, `prune` deletes them, `apply` installs them, `plan` predicts both, and `revision` makes an installed
 * set the baseline and stores it. Begin with `apply/install-step.ts`.
 */

export { ClusterActiveOperand, Operand, OPERAND_GROUP } from "./spec/operand-kinds.ts";
export { listRevisions } from "./revision/list-revisions.ts";
export { OperandRevision } from "./revision/operand-revision.ts";
export { inspectOperand } from "./plan/inspect.ts";
export type { InspectedItem, Inspection } from "./plan/inspect.ts";
export { PRUNE_CONFIRMED_ANNOTATION, SKIP_DELETION_WAIT } from "./spec/labels-and-annotations.ts";
export { planOperand } from "./plan/plan.ts";
export type { OperandPlan, PlanWorld } from "./plan/plan.ts";
export type { ItemAction, PlannedItem, PlannedItemReason } from "./plan/plan-applier.ts";
export type { PlannedPrune, PlannedPruneReason, PruneAction } from "./plan/plan-prune.ts";
export { PENDING_CONFIRMATION } from "./prune/prune-decision.ts";
export type { KeepReason } from "./prune/prune-decision.ts";
export { removalHold } from "./inventory/removal-hold.ts";
export type { RemovalReason } from "./inventory/removal-hold.ts";
export { isNeverOwned } from "./spec/stage.ts";
export { resolveSet } from "./spec/resolve-set.ts";
export { KindResolver } from "./spec/kind-resolver.ts";
export type { ResolvedKind } from "./spec/kind-resolver.ts";
export type { ResolvedSet } from "./spec/resolve-set.ts";
export type { InvalidManifestSet } from "./spec/manifest-set.ts";
export { activeOperandName, describeLiveRef } from "./spec/live-ref.ts";
export type { LiveRef } from "./spec/live-ref.ts";
export { operandManager, operandOperators } from "./operators.ts";
export { manifestOf } from "./spec/manifest-of.ts";
export { operand } from "./operand-step.ts";
export type { OperandSettings, OperandStepOptions } from "./operand-step.ts";
export { comparableObject } from "./apply/comparable-object.ts";
