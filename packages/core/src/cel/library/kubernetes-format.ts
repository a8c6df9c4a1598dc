import { namedFormats } from "../../format/index.ts";
import type { NamedFormat } from "../../format/index.ts";
import { aString, anObject, global, member } from "../declare/index.ts";
import type { Parameter } from "../declare/index.ts";
import { CEL_NONE, CEL_STRING, CelObject, CelOptional, listType, opaqueType, optionalType } from "../value/index.ts";
import type { CelOutcome, CelType } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

const FORMAT: CelType = opaqueType("kubernetes.NamedFormat");

/** A format that texts can be validated against. */
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

const aFormat: Parameter<CelFormat> = anObject(FORMAT, (value) => value instanceof CelFormat);

function named(name: string): CelOutcome {
  const format = namedFormats.get(name);
  return format === undefined ? CEL_NONE : new CelOptional(new CelFormat(format));
}

/** What is wrong with the text; none if nothing is. */
function validate({ format }: CelFormat, text: string): CelOutcome {
  const problems = format.validate(text);
  return problems.length === 0 ? CEL_NONE : new CelOptional(problems);
}

/** Kubernetes' named formats. */
export const FORMATS: CelLibrary = {
  name: "formats",
  functions: [
    ["format.named", [global("format_named", { parameters: [aString], result: optionalType(FORMAT), call: named })]],
    ...Array.from(namedFormats, ([name, format]): NonNullable<CelLibrary["functions"]>[number] => [
      `format.${name}`,
      [global(`format_${name}`, { parameters: [], result: FORMAT, call: () => new CelFormat(format) })],
    ]),
    [
      "validate",
      [
        member("format_validate", {
          parameters: [aFormat, aString],
          result: optionalType(listType(CEL_STRING)),
          cost: "scan",
          call: validate,
        }),
      ],
    ],
  ],
};
