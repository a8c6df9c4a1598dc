import { generationState, isTrue } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { Operand } from "./kinds.ts";

/** Whether the status says of this very generation that all of it is installed. */
export function isInstalled(operand: ObjectOf<Operand>): boolean {
  const type = "OperandInstalled";
  return isTrue(operand.status?.conditions, type) && generationState(operand, undefined, type) === "current";
}
