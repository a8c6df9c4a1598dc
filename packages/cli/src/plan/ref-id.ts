import type { ObjectRef } from "@levelset/operator";

/** Returns a key for maps of objects. */
export function refId({ apiVersion, kind, namespace = "", name }: ObjectRef): string {
  return `${apiVersion} ${kind} ${namespace} ${name}`;
}
