import { ownerAnnotations } from "@levelset/core/internal";
import type { ObjectOf } from "@levelset/core";
import type { Client } from "../../client/index.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { OperandRevision } from "./operand-revision.ts";

/** Returns the stored revisions of an Operand, oldest first: versions that became Ready. */
export async function listRevisions(
  client: Client,
  operand: ObjectOf<Operand>,
  signal: AbortSignal,
): Promise<readonly ObjectOf<OperandRevision>[]> {
  const labels = Object.entries(ownerAnnotations(operand).labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
  const { items } = await client.list(OperandRevision, { labels, signal });
  return items.toSorted((a, b) => Number(a.spec.generation) - Number(b.spec.generation));
}
