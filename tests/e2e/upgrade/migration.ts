import type { KubeObject } from "@levelset/core";

/** Annotation with the order in which the objects of an inventory were installed. */
export const INSTALL_ORDER = "operand.levelset.dev/install-order";

/** Annotations that later versions add to objects of earlier ones, once. */
const ADDED_ANNOTATIONS: ReadonlySet<string> = new Set([INSTALL_ORDER, "fleet.levelset.dev/resource-kind"]);

/**
 * Returns the objects without the annotations that a migration adds, and without the metadata that such a write
 * changes.
 */
export function withoutMigration(objects: readonly KubeObject[]): readonly object[] {
  return objects.map((object) => {
    const { metadata, ...rest } = withoutState(object);
    const { managedFields: _fields, resourceVersion: _version, annotations = {}, ...kept } = metadata;
    const own = Object.entries(annotations).filter(([name]) => !ADDED_ANNOTATIONS.has(name));
    return { ...rest, metadata: { ...kept, annotations: Object.fromEntries(own) } };
  });
}

/** Removes `status.state`, which this version adds to Operands. */
function withoutState(object: KubeObject & { readonly status?: object }): KubeObject {
  if (object.kind !== "Operand" || object.status === undefined) return object;
  const { state: _state, ...status } = object.status as Readonly<Record<string, unknown>>;
  return { ...object, status } as KubeObject;
}
