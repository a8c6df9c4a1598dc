import type { CelFault } from "./fault.ts";
import { CelObject } from "./object.ts";
import type { CelValue } from "./value.ts";

/** An object that a type provider made. What its fields are, and what an unset one reads as, is the provider's affair. */
export abstract class CelStruct extends CelObject {
  /** A field's value or its default; an error if the type has no such field. */
  abstract get(field: string): CelValue | CelFault;
  /** Whether a field is set; an error if the type has no such field. */
  abstract has(field: string): boolean | CelFault;
}
