import { aString, member } from "../declare/index.ts";
import type { Overload } from "../declare/index.ts";
import { STANDARD_MACROS } from "../syntax/index.ts";
import { CEL_BOOL } from "../value/index.ts";
import { CONVERSIONS } from "./conversion.ts";
import type { CelLibrary } from "./library.ts";
import { OPERATORS } from "./operators.ts";
import { MATCHES } from "./regex.ts";
import { TIMES } from "./time.ts";

function textTest(id: string, call: (text: string, part: string) => boolean): readonly Overload[] {
  return [member(id, { parameters: [aString, aString], result: CEL_BOOL, cost: "scan", call })];
}

/** What every environment has: the language itself. */
export const STANDARD: CelLibrary = {
  name: "standard",
  macros: STANDARD_MACROS,
  functions: [
    ...[OPERATORS, CONVERSIONS, MATCHES, TIMES].flatMap(({ functions = [] }) => functions),
    ["contains", textTest("contains_string", (text, part) => text.includes(part))],
    ["startsWith", textTest("starts_with_string", (text, part) => text.startsWith(part))],
    ["endsWith", textTest("ends_with_string", (text, part) => text.endsWith(part))],
  ],
};
