import { CelObject } from "./object.ts";
import { CEL_DOUBLE, CEL_UINT } from "./type.ts";
import type { CelType } from "./type.ts";

/** A double. Boxed, because a plain number is an int. */
export class CelDouble extends CelObject {
  readonly celType: CelType = CEL_DOUBLE;
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  override isZero(): boolean {
    return this.value === 0;
  }
}

/** An unsigned 64-bit integer. */
export class CelUint extends CelObject {
  readonly celType: CelType = CEL_UINT;
  readonly value: bigint;

  constructor(value: bigint) {
    super();
    this.value = value;
  }

  override isZero(): boolean {
    return this.value === 0n;
  }
}
