import { ownerAnnotations } from "@levelset/core/internal";
import type { ObjectOf } from "@levelset/core";
import { OperandRevision } from "@levelset/operator";
import type { Client, Operand } from "@levelset/operator";

/** Returns the stored revisions of an Operand: versions that became Ready. */
export async function revisionsOf(
  client: Client,
  operand: ObjectOf<Operand>,
  signal: AbortSignal,
): Promise<readonly ObjectOf<OperandRevision>[]> {
  const labels = Object.entries(ownerAnnotations(operand).labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
  return (await client.list(OperandRevision, { labels, signal })).items;
}
