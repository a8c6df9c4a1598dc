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
  return objects.map(({ metadata, ...rest }) => {
    const { managedFields: _fields, resourceVersion: _version, annotations = {}, ...kept } = metadata;
    const own = Object.entries(annotations).filter(([name]) => !ADDED_ANNOTATIONS.has(name));
    return { ...rest, metadata: { ...kept, annotations: Object.fromEntries(own) } };
  });
}
