import { kindId, readinessOf } from "@levelset/core";
import { controllingOwnerUid } from "@levelset/core/internal";
import type { KubeObject } from "@levelset/core";
import { refOf } from "@levelset/operator/internal";
import type { ManagedOperator, ObjectRef } from "@levelset/operator";
import { refId } from "./ref-id.ts";

/** Input of {@link expectedProgress}. */
export interface ProgressFacts {
  readonly operators: readonly ManagedOperator[];
  /** The objects that the operators reconcile at the end, with their resource. */
  readonly own: readonly { readonly resource: string; readonly object: KubeObject }[];
  /** Other objects that were written, as they are at the end. */
  readonly written: readonly { readonly resource: string; readonly object: KubeObject }[];
  /** UIDs of own objects whose external calls were held back. */
  readonly heldBack: ReadonlySet<string>;
  /** What the latest run of an own object waits for, by `refId`. */
  readonly waits: ReadonlyMap<string, readonly ObjectRef[]>;
}

/**
 * Returns the UIDs of the own objects that cannot become Ready in a copy, because they wait for what a copy does not do:
 * a rollout, a Job, the deletion of a child, the controller of another kind, or a call that was held back. They wait for
 * an object that they own, or that they read: the ones that their steps name, else any one of a kind that they read.
 */
export function expectedProgress({ operators, own, written, heldBack, waits }: ProgressFacts): ReadonlySet<string> {
  const reads = new Map(operators.map(({ rbac }) => [kindId(rbac.kind), new Set(rbac.reads.map(kindId))]));
  const pending = written.filter(({ object }) => isPending(object));
  const owners = new Set(pending.flatMap(({ object }) => ownersOf(object)));
  const resources = new Set(pending.map(({ resource }) => resource));
  const refs = new Set(pending.map(({ object }) => refId(refOf(object))));
  const expected = new Set<string>();
  const isExpected = ({ resource, object }: ProgressFacts["own"][number]): boolean =>
    heldBack.has(object.metadata.uid) || owners.has(object.metadata.uid) || readsPending(resource, object);
  const readsPending = (resource: string, object: KubeObject): boolean => {
    const named = waits.get(refId(refOf(object))) ?? [];
    if (named.length > 0) return named.some((ref) => refs.has(refId(ref)));
    return [...(reads.get(resource) ?? [])].some((read) => resources.has(read));
  };
  // An own object that waits makes its owner and its readers wait too.
  for (let size = -1; size !== expected.size;) {
    size = expected.size;
    for (const each of own) {
      if (expected.has(each.object.metadata.uid) || !isExpected(each)) continue;
      expected.add(each.object.metadata.uid);
      resources.add(each.resource);
      refs.add(refId(refOf(each.object)));
      for (const owner of ownersOf(each.object)) owners.add(owner);
    }
  }
  return expected;
}

function isPending(object: KubeObject): boolean {
  const { kind } = readinessOf(object);
  return kind === "progressing" || kind === "deleting";
}

function ownersOf(object: KubeObject): readonly string[] {
  const manager = controllingOwnerUid(object);
  return [
    ...(object.metadata.ownerReferences ?? []).map(({ uid }) => uid),
    ...(manager === undefined ? [] : [manager]),
  ];
}
