import type { Kind, ObjectOf } from "@levelset/core";
import type { Discovery } from "../../client/index.ts";
import { distinctKinds } from "../inventory/operand-watches.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import type { ResolvedSet } from "../spec/resolve-set.ts";
import { resolveRefKind } from "../spec/kind-resolver.ts";

/** Returns the served kinds of the desired objects and of leftovers that still exist. */
export async function watchedKinds(
  operand: ObjectOf<Operand>,
  { manifest, kinds }: ResolvedSet,
  { discovery, signal }: { readonly discovery: Discovery; readonly signal: AbortSignal },
): Promise<readonly Kind[]> {
  const served = manifest.merged.flatMap(({ object }) => kinds.get(object) ?? []).filter(({ isServed }) => isServed);
  const left: Kind[] = [];
  for (const ref of operand.status?.pending ?? []) {
    const kind = await resolveRefKind(ref, discovery, signal);
    if (kind !== undefined) left.push(kind);
  }
  return distinctKinds([...served.map(({ kind }) => kind), ...left]);
}
