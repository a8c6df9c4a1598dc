import type { JsonPatchOperation } from "../patch/index.ts";
import type { KubeObject } from "./object.ts";

/** Returns the finalizer that a controller puts on objects of its kind: `<group>/<kind in lower case>`. */
export function finalizerName(kind: { readonly group: string; readonly kind: string }): string {
  return `${kind.group}/${kind.kind.toLowerCase()}`;
}

/**
 * Returns the finalizer that a controller puts on children that must outlive its cleanup: `<group>/<kind in lower
 * case>-child`.
 */
export function childFinalizerName(owner: { readonly group: string; readonly kind: string }): string {
  return `${finalizerName(owner)}-child`;
}

/**
 * Returns the finalizer that a controller puts on a Job until the result of the Job is recorded: `<group>/<kind in
 * lower case>-job`.
 */
export function jobFinalizerName(owner: { readonly group: string; readonly kind: string }): string {
  return `${finalizerName(owner)}-job`;
}

/** Reports whether the object has this finalizer. */
export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * Returns a JSON patch that appends a finalizer. The patch has a `test` operation, so it fails instead of overwriting
 * if the list changed or the object was replaced since it was read. Empty if the finalizer is already present.
 */
export function addFinalizerPatch(object: KubeObject, finalizer: string): readonly JsonPatchOperation[] {
  if (hasFinalizer(object, finalizer)) return [];
  const present = object.metadata.finalizers;
  if (present === undefined || present.length === 0) {
    return [
      { op: "test", path: "/metadata/uid", value: object.metadata.uid },
      // JSON patch cannot test that a list is absent. It can test the resourceVersion, which changes when a list is
      // added.
      { op: "test", path: "/metadata/resourceVersion", value: object.metadata.resourceVersion },
      { op: "add", path: "/metadata/finalizers", value: [finalizer] },
    ];
  }
  return [
    { op: "test", path: "/metadata/uid", value: object.metadata.uid },
    // Tests the whole list, so a patch that is delivered twice is applied once. The API server accepts duplicate
    // finalizers.
    { op: "test", path: "/metadata/finalizers", value: present },
    { op: "add", path: "/metadata/finalizers/-", value: finalizer },
  ];
}

/**
 * Returns a JSON patch that removes all occurrences of this finalizer and keeps the others. Empty if the finalizer is
 * absent.
 */
export function removeFinalizerPatch(object: KubeObject, finalizer: string): readonly JsonPatchOperation[] {
  const present = object.metadata.finalizers ?? [];
  // Removes from the end, so that the remaining indexes stay valid.
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
