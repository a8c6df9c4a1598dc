import { apiVersionOf, InputError, textProblem } from "@levelset/core";
import type { Kind, ObjectKey } from "@levelset/core";

/** The part of an object that has a path of its own. */
export type Subresource = "status" | "scale";

/** The path of a kind's collection, in one namespace or across all. */
export function collectionPath(kind: Kind, namespace: string | undefined): string {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${apiVersionOf(kind)}`;
  const scope = namespace === undefined ? "" : `/namespaces/${segment(namespace)}`;
  return `${root}${scope}/${kind.plural}`;
}

/** The path of one object or of one of its subresources. */
export function objectPath(kind: Kind, key: ObjectKey, subresource?: Subresource): string {
  const path = `${collectionPath(kind, key.namespace)}/${segment(key.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** A name as a part of a path. Those that would make another path of it are none of an object. */
function segment(name: string): string {
  const problem = textProblem(name);
  if (problem !== undefined) throw new InputError(`the name ${JSON.stringify(name)} ${problem}`);
  if (name !== "" && name !== "." && name !== "..") return encodeURIComponent(name);
  throw new InputError(`${JSON.stringify(name)} is no name of an object`);
}
