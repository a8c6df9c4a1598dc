import { Operand } from "@levelset/operator";
import type { ClusterSession } from "../cluster/index.ts";
import { getOperand } from "./operand-client.ts";
import type { LiveOperand } from "./operand-client.ts";

/** The message to print, and the Operand after the patch. */
interface Suspension {
  readonly done: string;
  readonly after: LiveOperand;
}

/** Sets `spec.suspend` of an Operand. Writes nothing if it has that value. */
export async function suspendOperand(session: ClusterSession, name: string, isSuspended: boolean): Promise<Suspension> {
  const before = await getOperand(session, name);
  if (before.spec.suspend === isSuspended) {
    return { done: `operand/${name} is already ${isSuspended ? "suspended" : "active"}`, after: before };
  }
  const { client, signal } = session;
  const after = await client.mergePatch(Operand, { name }, { spec: { suspend: isSuspended } }, { signal });
  return { done: `operand/${name} ${isSuspended ? "suspended" : "resumed"}`, after };
}
