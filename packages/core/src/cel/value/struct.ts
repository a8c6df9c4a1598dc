import type { CelError } from "./cel-error.ts";
import { CelObject } from "./object.ts";
import type { CelValue } from "./value.ts";

/** An object created by a type provider, which defines its fields and their defaults. */
export abstract class CelStruct extends CelObject {
  /** A field's value or its default; an error if the type has no such field. */
  abstract get(field: string): CelValue | CelError;
  /** Whether a field is set; an error if the type has no such field. */
  abstract has(field: string): boolean | CelError;
}
