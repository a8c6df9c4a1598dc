import type { ObjectRef } from "@levelset/operator";
import type { ObjectRow } from "../api/index.ts";

/** What names the object of a row. */
export function refOf({ apiVersion, kind, namespace, name }: ObjectRow): ObjectRef {
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
