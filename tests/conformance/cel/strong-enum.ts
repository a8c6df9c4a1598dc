import type { DescEnum } from "@bufbuild/protobuf";
import { CelObject, opaqueType } from "../../../packages/core/src/cel/value/index.ts";
import type { CelType } from "../../../packages/core/src/cel/value/index.ts";

/** A member of a strongly typed enum, which the specification allows besides plain ints. */
export class StrongEnum extends CelObject {
  readonly celType: CelType;
  readonly desc: DescEnum;
  readonly number: number;

  constructor(desc: DescEnum, number: number) {
    super();
    this.celType = opaqueType(desc.typeName);
    this.desc = desc;
    this.number = number;
  }

  override equals(other: CelObject): boolean {
    return other instanceof StrongEnum && other.desc.typeName === this.desc.typeName && other.number === this.number;
  }
}
