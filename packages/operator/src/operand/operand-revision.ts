import { kind, s } from "@levelset/core";
import { OPERAND_GROUP } from "./kinds.ts";

/**
 * What an Operand asked for when it became ready: kept so that it can be asked for again. It is of the Operand's own group and scope,
 * because it holds the same manifests, Secrets among them: whoever may not read the one should not read the other.
 */
export const OperandRevision = kind({
  group: OPERAND_GROUP,
  version: "v1alpha1",
  kind: "OperandRevision",
  scope: "Cluster",
  spec: s.object({
    /** The name of the Operand. */
    operand: s.string(),
    /** The generation that first asked for it, and became ready. */
    generation: s.int64(),
    /** The inventory of its objects. */
    activeOperand: s.string(),
    /** How many objects it has. */
    objects: s.int32(),
    /** When it became ready. */
    time: s.dateTime(),
    /** The Operand's spec, except `suspend`. */
    asked: s.record(),
  }),
  columns: { Operand: ".spec.operand", Generation: ".spec.generation", Objects: ".spec.objects" },
});
/** Its type. */
export type OperandRevision = typeof OperandRevision;
