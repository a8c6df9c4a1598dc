import { namedFormats } from "../../format/index.ts";
import type { NamedFormat } from "../../format/index.ts";
import { stringParam, objectParam, functionOverload, memberOverload } from "../declare/index.ts";
import type { CelParameter } from "../declare/index.ts";
import {
  CEL_OPTIONAL_NONE,
  CEL_STRING,
  CelObject,
  CelOptional,
  listType,
  opaqueType,
  optionalType,
} from "../value/index.ts";
import type { CelOutcome, CelType } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

const FORMAT: CelType = opaqueType("kubernetes.NamedFormat");

/** A format that strings can be validated against. */
class CelFormat extends CelObject {
  readonly celType: CelType = FORMAT;
  readonly format: NamedFormat;

  constructor(format: NamedFormat) {
    super();
    this.format = format;
  }

  override equals(other: CelObject): boolean {
    return other instanceof CelFormat && other.format.name === this.format.name;
  }

  override toString(): string {
    return this.format.name;
  }
}

const aFormat: CelParameter<CelFormat> = objectParam(FORMAT, (value) => value instanceof CelFormat);

function named(name: string): CelOutcome {
  const format = namedFormats.get(name);
  return format === undefined ? CEL_OPTIONAL_NONE : new CelOptional(new CelFormat(format));
}

/** Returns the problems with the text; an absent optional if it is valid. */
function validate({ format }: CelFormat, text: string): CelOutcome {
  const problems = format.validate(text);
  return problems.length === 0 ? CEL_OPTIONAL_NONE : new CelOptional(problems);
}

/** Kubernetes' named formats. */
export const FORMATS_LIBRARY: CelLibrary = {
  name: "formats",
  functions: [
    [
      "format.named",
      [functionOverload("format_named", { parameters: [stringParam], result: optionalType(FORMAT), call: named })],
    ],
    ...Array.from(namedFormats, ([name, format]): NonNullable<CelLibrary["functions"]>[number] => [
      `format.${name}`,
      [functionOverload(`format_${name}`, { parameters: [], result: FORMAT, call: () => new CelFormat(format) })],
    ]),
    [
      "validate",
      [
        memberOverload("format_validate", {
          parameters: [aFormat, stringParam],
          result: optionalType(listType(CEL_STRING)),
          cost: "scan",
          call: validate,
        }),
      ],
    ],
  ],
};
