import { deepEqual, isDeleting } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import type { ObjectChange } from "../cache/index.ts";

/** Why a change of an object asks for a run, in words; undefined when it asks for none. */
export function changeReason(change: ObjectChange<KubeObject>): string | undefined {
  switch (change.kind) {
    case "removed":
      return undefined;
    case "added":
      return "it appeared";
    case "updated":
      return updateReason(change.previous, change.object);
  }
}

function updateReason(before: KubeObject, after: KubeObject): string {
  if (before.metadata.uid !== after.metadata.uid) return "it was replaced";
  if (!isDeleting(before) && isDeleting(after)) return "its deletion was asked for";
  if (before.metadata.generation !== after.metadata.generation) return "its spec changed";
  const { labels, annotations, finalizers } = before.metadata;
  const other = after.metadata;
  if (!deepEqual({ labels, annotations, finalizers }, pick(other))) return "its metadata changed";
  // Our own status writes never come by here, so somebody else touched what is ours.
  return "its status was changed by another";
}

function pick({ labels, annotations, finalizers }: KubeObject["metadata"]): object {
  return { labels, annotations, finalizers };
}
