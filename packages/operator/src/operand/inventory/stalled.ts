import type { ConditionUpdate } from "@levelset/core";
import type { OperandReq } from "./inventory.ts";

/** Condition update of an Operand that is not stalled. */
export const NOT_STALLED = { status: "False", reason: "Moving", message: "nothing is stuck" } as const;

/** Sets the condition Stalled of an Operand: True if waiting alone will not help. */
export function stall(req: OperandReq, update: Pick<ConditionUpdate, "status" | "reason" | "message">): void {
  req.condition({ type: "Stalled", ...update });
}
