import { apiVersionOf, InputError } from "@levelset/core";
import { textProblem } from "@levelset/core/internal";
import type { Kind, ObjectKey } from "@levelset/core";

/** A subresource of an object. */
export type Subresource = "status" | "scale";

/**
 * Returns the path of a kind's collection, in one namespace or across all. Throws an `InputError` for an invalid
 * namespace.
 */
export function collectionPath(kind: Kind, namespace: string | undefined): string {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${apiVersionOf(kind)}`;
  const scope = namespace === undefined ? "" : `/namespaces/${segment(namespace)}`;
  return `${root}${scope}/${kind.plural}`;
}

/** Returns the path of one object or of one of its subresources. Throws for a name that cannot be an object name. */
export function objectPath(kind: Kind, key: ObjectKey, subresource?: Subresource): string {
  const path = `${collectionPath(kind, key.namespace)}/${segment(key.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** Escapes a name as a path segment. Rejects names that would change the path. */
function segment(name: string): string {
  const problem = textProblem(name);
  if (problem !== undefined) throw new InputError(`the name ${JSON.stringify(name)} ${problem}`);
  if (name !== "" && name !== "." && name !== "..") return encodeURIComponent(name);
  throw new InputError(`${JSON.stringify(name)} is not a valid object name`);
}
