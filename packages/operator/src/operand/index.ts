/** Operands: sets of manifests that are applied, judged, owned and pruned. Begin with `install.ts`. */

export { ClusterActiveOperand, Operand, OPERAND_GROUP } from "./kinds.ts";
export { OperandRevision } from "./operand-revision.ts";
export { inspectOperand } from "./inspect.ts";
export type { InspectedItem, Inspection } from "./inspect.ts";
export { PRUNE_CONFIRMED, SKIP_DELETION_WAIT } from "./marks.ts";
export { planOperand } from "./plan.ts";
export type { OperandPlan, PlanWorld } from "./plan.ts";
export type { ItemAction, PlannedItem } from "./plan-applier.ts";
export type { PlannedPrune, PruneAction } from "./plan-prune.ts";
export { readSet } from "./read-set.ts";
export { SetKinds } from "./set-kinds.ts";
export type { SetKind } from "./set-kinds.ts";
export type { GoodSet } from "./read-set.ts";
export type { BadManifest } from "./manifest.ts";
export { activeOperandName, describeLiveRef } from "./live-ref.ts";
export type { LiveRef } from "./live-ref.ts";
export { MASK, redacted, redactedPair, scrubber } from "./redaction.ts";
export { operandManager, operandOperators } from "./operators.ts";
export { manifestOf } from "./manifest-of.ts";
export { operand } from "./operand-step.ts";
export type { OperandSettings, OperandStepOptions } from "./operand-step.ts";
export { visibleObject } from "./visible.ts";
