import type { Finding } from "@levelset/core";
import type { OperandReq } from "./inventory.ts";

/** That an Operand is not stalled. */
export const FINE = { status: "False", reason: "Moving", message: "nothing is stuck" } as const;

/** Sets the condition Stalled of an Operand: whether waiting alone will not help. */
export function stall(req: OperandReq, finding: Pick<Finding, "status" | "reason" | "message">): void {
  req.condition({ type: "Stalled", ...finding });
}
