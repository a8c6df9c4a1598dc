import { CelObject } from "./object.ts";
import { CEL_DYN, optionalType } from "./type.ts";
import type { CelType } from "./type.ts";
import type { CelValue } from "./value.ts";

const OPTIONAL: CelType = optionalType(CEL_DYN);

/** A value that may be absent. */
export class CelOptional extends CelObject {
  readonly celType: CelType = OPTIONAL;
  /** The value; undefined if there is none. */
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    super();
    this.value = value;
  }

  override isZero(): boolean {
    return this.value === undefined;
  }
}

/** The optional without a value. */
export const CEL_OPTIONAL_NONE: CelOptional = new CelOptional(undefined);
