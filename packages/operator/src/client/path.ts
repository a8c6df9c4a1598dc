import { apiVersionOf } from "@levelset/core";
import type { Kind, ObjectKey } from "@levelset/core";

/** The part of an object that has a path of its own. */
export type Subresource = "status" | "scale";

/** The path of a kind's collection, in one namespace or across all. */
export function collectionPath(kind: Kind, namespace: string | undefined): string {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${apiVersionOf(kind)}`;
  const scope = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${kind.plural}`;
}

/** The path of one object or of one of its subresources. */
export function objectPath(kind: Kind, key: ObjectKey, subresource?: Subresource): string {
  const path = `${collectionPath(kind, key.namespace)}/${encodeURIComponent(key.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}
