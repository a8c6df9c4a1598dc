import type { JsonPatchOperation } from "../patch/index.ts";
import type { KubeObject } from "./object.ts";

/** The finalizer that a controller of a kind puts on its objects: `<group>/<kind in lower case>`. */
export function finalizerName(kind: { readonly group: string; readonly kind: string }): string {
  return `${kind.group}/${kind.kind.toLowerCase()}`;
}

/** The finalizer that a controller of a kind puts on children that must not vanish under it: `<group>/<kind in lower case>-child`. */
export function childFinalizerName(owner: { readonly group: string; readonly kind: string }): string {
  return `${finalizerName(owner)}-child`;
}

/** The finalizer that a controller of a kind puts on a Job until it has recorded how the Job ended: `<group>/<kind in lower case>-job`. */
export function jobFinalizerName(owner: { readonly group: string; readonly kind: string }): string {
  return `${finalizerName(owner)}-job`;
}

/** Whether the object carries this finalizer. */
export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * A JSON patch that appends a finalizer, guarded so that it fails rather than overwrites when another writer changed the list
 * (or replaced the object) since we read it. Empty when the finalizer is there already.
 */
export function addFinalizerPatch(object: KubeObject, finalizer: string): readonly JsonPatchOperation[] {
  if (hasFinalizer(object, finalizer)) return [];
  const present = object.metadata.finalizers;
  if (present === undefined || present.length === 0) {
    return [
      { op: "test", path: "/metadata/uid", value: object.metadata.uid },
      // An absent list cannot be tested for; the version can, and a list that appeared since would have moved it.
      { op: "test", path: "/metadata/resourceVersion", value: object.metadata.resourceVersion },
      { op: "add", path: "/metadata/finalizers", value: [finalizer] },
    ];
  }
  return [
    { op: "test", path: "/metadata/uid", value: object.metadata.uid },
    // The whole list, so that a patch that arrives twice is not applied twice: servers do not refuse a finalizer that is there already.
    { op: "test", path: "/metadata/finalizers", value: present },
    { op: "add", path: "/metadata/finalizers/-", value: finalizer },
  ];
}

/** The counterpart of `addFinalizerPatch`: removes this one finalizer, each time that it is listed, and no other. Empty when it is absent. */
export function removeFinalizerPatch(object: KubeObject, finalizer: string): readonly JsonPatchOperation[] {
  const present = object.metadata.finalizers ?? [];
  // From the end, so that a removal shifts none of those that follow.
  const indexes = present.flatMap((name, index) => (name === finalizer ? [index] : [])).toReversed();
  if (indexes.length === 0) return [];
  return [
    { op: "test", path: "/metadata/uid", value: object.metadata.uid },
    ...indexes.flatMap((index): readonly JsonPatchOperation[] => [
      // `test` before `remove`: another controller may have shifted the list since we read it.
      { op: "test", path: `/metadata/finalizers/${index}`, value: finalizer },
      { op: "remove", path: `/metadata/finalizers/${index}` },
    ]),
  ];
}
