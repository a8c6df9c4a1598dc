import { findCondition } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { Operand } from "./kinds.ts";

/** Whether the status says of this very generation that all of it is installed. */
export function isInstalled(operand: ObjectOf<Operand>): boolean {
  const condition = findCondition(operand.status?.conditions, "OperandInstalled");
  return condition?.status === "True" && condition.observedGeneration === operand.metadata.generation;
}
