import type { ObjectRef } from "@levelset/operator";
import type { ObjectRow } from "../api/index.ts";

/** Returns the object reference of a row. */
export function rowRef({ apiVersion, kind, namespace, name }: ObjectRow): ObjectRef {
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
