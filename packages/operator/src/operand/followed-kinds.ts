import type { Kind, ObjectOf } from "@levelset/core";
import type { Discovery } from "../client/index.ts";
import { distinctKinds } from "./follow.ts";
import type { Operand } from "./kinds.ts";
import type { GoodSet } from "./read-set.ts";
import { kindOfRef } from "./set-kinds.ts";

/** The kinds of what an Operand asks for, and of what is still there though it is no longer asked for, as far as the cluster serves them. */
export async function followedKinds(
  operand: ObjectOf<Operand>,
  { manifest, kinds }: GoodSet,
  { discovery, signal }: { readonly discovery: Discovery; readonly signal: AbortSignal },
): Promise<readonly Kind[]> {
  const served = manifest.merged.flatMap(({ object }) => kinds.get(object) ?? []).filter(({ isServed }) => isServed);
  const left: Kind[] = [];
  for (const ref of operand.status?.pending ?? []) {
    const kind = await kindOfRef(ref, discovery, signal);
    if (kind !== undefined) left.push(kind);
  }
  return distinctKinds([...served.map(({ kind }) => kind), ...left]);
}
