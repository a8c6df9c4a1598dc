import type { ApiObject } from "../store/index.ts";
import { asRecord } from "../resource/index.ts";

/** Returns an object with one field of `given` in its spec, and without the field if `given` lacks it. */
export function withSpecField(object: ApiObject, field: string, given: Readonly<Record<string, unknown>>): ApiObject {
  const { [field]: _old, ...spec } = asRecord(object["spec"]);
  return { ...object, spec: given[field] === undefined ? spec : { ...spec, [field]: given[field] } };
}
