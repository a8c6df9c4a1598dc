import { CelObject } from "./object.ts";
import {
  CEL_BOOL,
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DYN,
  CEL_INT,
  CEL_NULL,
  CEL_STRING,
  listType,
  mapType,
  runtimeName,
} from "./type.ts";
import type { CelType } from "./type.ts";
import type { CelValue } from "./value.ts";

const LIST: CelType = listType(CEL_DYN);
const MAP: CelType = mapType(CEL_DYN, CEL_DYN);

/** Returns the runtime type of a value. */
export function typeOf(value: CelValue): CelType {
  switch (typeof value) {
    case "boolean":
      return CEL_BOOL;
    case "string":
      return CEL_STRING;
    case "bigint":
      return CEL_INT;
    case "number":
      return Number.isSafeInteger(value) ? CEL_INT : CEL_DOUBLE;
    default:
      if (value === null) return CEL_NULL;
      if (value instanceof CelObject) return value.celType;
      if (Array.isArray(value)) return LIST;
      return value instanceof Uint8Array ? CEL_BYTES : MAP;
  }
}

/** Returns the name of a value's type, for messages. */
export function typeName(value: CelValue): string {
  return runtimeName(typeOf(value));
}

/** Whether a value is a list. `Array.isArray` does not narrow readonly arrays. */
export function isList(value: unknown): value is readonly CelValue[] {
  return Array.isArray(value);
}
