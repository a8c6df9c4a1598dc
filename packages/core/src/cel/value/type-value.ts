import { CelObject } from "./object.ts";
import { CEL_DYN, runtimeName, typeType } from "./type.ts";
import type { CelType } from "./type.ts";

const TYPE: CelType = typeType(CEL_DYN);

/** A type as a value: the result of `type(x)` and `int`. Two types are equal if their names are equal. */
export class CelTypeValue extends CelObject {
  readonly celType: CelType = TYPE;
  readonly name: string;

  constructor(of: CelType) {
    super();
    this.name = runtimeName(of);
  }

  override equals(other: CelObject): boolean {
    return other instanceof CelTypeValue && other.name === this.name;
  }
}
