import { generationState, isConditionTrue } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { Operand } from "./operand-kinds.ts";

/** Reports whether the status states that this generation is fully installed. */
export function isInstalled(operand: ObjectOf<Operand>): boolean {
  const type = "OperandInstalled";
  return isConditionTrue(operand.status?.conditions, type) && generationState(operand, undefined, type) === "current";
}
