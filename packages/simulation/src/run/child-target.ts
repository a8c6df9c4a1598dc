import type { KubeObject } from "@levelset/core";
import { idKey, idOf } from "../history/index.ts";
import type { Operation } from "../history/index.ts";
import type { ObjectRecord } from "../world/index.ts";

/** Returns the child that an operation concerns: its recorded target, or the one that it picks. */
export function childOf(
  { do: act, pick, target }: Extract<Operation, { readonly pick: number }>,
  children: readonly ObjectRecord[],
  isProtected: (object: KubeObject) => boolean,
): ObjectRecord | undefined {
  // The deletion of a protected child is reported until its owner is deleted: it cannot be undone.
  const possible = children.filter(({ object }) => act !== "delete-child" || !isProtected(object));
  if (target === undefined) return possible[Math.floor(pick * possible.length)];
  return possible.find(({ object }) => idKey(idOf(object)) === idKey(target));
}
