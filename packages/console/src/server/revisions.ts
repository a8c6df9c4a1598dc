import { ownerMark } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { OperandRevision } from "@levelset/operator";
import type { Client, Operand } from "@levelset/operator";

/** The versions of an Operand that became ready and are kept. */
export async function revisionsOf(
  client: Client,
  operand: ObjectOf<Operand>,
  signal: AbortSignal,
): Promise<readonly ObjectOf<OperandRevision>[]> {
  const labels = Object.entries(ownerMark(operand).labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
  return (await client.list(OperandRevision, { labels, signal })).items;
}
