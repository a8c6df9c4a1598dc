import { parseApiVersion } from "@levelset/core/internal";
import { formatId } from "../history/index.ts";
import type { ObjectId } from "../history/index.ts";

/**
 * Returns the key of an object: `Service default/a`, `Deployment.apps default/a`. It has the group, because kinds of
 * several groups may have one name, and no version, because all versions of a kind are one object.
 */
export function objectKey(id: ObjectId): string {
  const { group } = parseApiVersion(id.apiVersion);
  return formatId({ ...id, kind: group === "" ? id.kind : `${id.kind}.${group}` });
}

/** Formats the object of a key for people: `Deployment default/a`. */
export function describeKey(key: string): string {
  return key.replace(/^([^. ]+)\.[^ ]+/u, "$1");
}
