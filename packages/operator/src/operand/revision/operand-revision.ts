import { kind, s } from "@levelset/core";
import { OPERAND_GROUP } from "../spec/operand-kinds.ts";

/**
 * Spec of an Operand when it became ready, stored for rollback. It has the Operand's group and scope because it
 * contains the same manifests, Secrets included: RBAC for both should be the same.
 */
export const OperandRevision = kind({
  group: OPERAND_GROUP,
  version: "v1alpha1",
  kind: "OperandRevision",
  scope: "Cluster",
  spec: s.object({
    /** Name of the Operand. */
    operand: s.string(),
    /** Generation of the Operand that first had this spec and became ready. */
    generation: s.int64(),
    /** Inventory of its objects. */
    activeOperand: s.string(),
    /** Number of objects. */
    objects: s.int32(),
    /** Time when it became ready. */
    time: s.dateTime(),
    /** The Operand's spec, except `suspend`. */
    asked: s.record(),
  }),
  columns: { Operand: ".spec.operand", Generation: ".spec.generation", Objects: ".spec.objects" },
});
/** Type of {@link OperandRevision}. */
export type OperandRevision = typeof OperandRevision;
