import type { DescEnum, Registry } from "@bufbuild/protobuf";
import { celFunction } from "../../../packages/core/src/cel/index.ts";
import type { CelLibrary, Overload, CelParameter } from "../../../packages/core/src/cel/index.ts";
import { CEL_INT, CEL_STRING, celError, isInt, opaqueType } from "../../../packages/core/src/cel/value/index.ts";
import type { CelError, CelInt, CelType, CelValue } from "../../../packages/core/src/cel/value/index.ts";
import { StrongEnum } from "./strong-enum.ts";

const anInt: CelParameter<CelInt> = { type: CEL_INT, admits: isInt };
const aString: CelParameter<string> = { type: CEL_STRING, admits: (value) => typeof value === "string" };

function fromNumber(desc: DescEnum, number: CelInt): CelValue | CelError {
  if (number > 2_147_483_647 || number < -2_147_483_648) return celError("enum value out of range");
  return new StrongEnum(desc, Number(number));
}

function fromName(desc: DescEnum, name: string): CelValue | CelError {
  const member = desc.values.find((value) => value.name === name);
  return member === undefined ? celError(`invalid enum name '${name}'`) : new StrongEnum(desc, member.number);
}

/** `int(enum)`, and a function per enum that converts from ints and names, for strongly typed enums. */
export function enumConversions(registry: Registry): CelLibrary {
  const functions: [string, readonly Overload[]][] = [];
  const toInt: Overload[] = [];
  for (const desc of registry) {
    if (desc.kind !== "enum") continue;
    const type: CelType = opaqueType(desc.typeName);
    const isMember = (value: CelValue): value is StrongEnum =>
      value instanceof StrongEnum && value.desc.typeName === desc.typeName;
    const name = desc.typeName;
    functions.push([
      name,
      [
        celFunction(`int_to_${name}`, {
          parameters: [anInt],
          result: type,
          call: (number) => fromNumber(desc, number),
        }),
        celFunction(`string_to_${name}`, { parameters: [aString], result: type, call: (text) => fromName(desc, text) }),
      ],
    ]);
    const parameters: [CelParameter<StrongEnum>] = [{ type, admits: isMember }];
    toInt.push(celFunction(`${name}_to_int`, { parameters, result: CEL_INT, call: ({ number }) => number }));
  }
  return { name: "enums", functions: [...functions, ["int", toInt]] };
}
