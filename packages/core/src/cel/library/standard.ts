import { stringParam, memberOverload } from "../declare/index.ts";
import type { Overload } from "../declare/index.ts";
import { STANDARD_MACROS } from "../syntax/index.ts";
import { CEL_BOOL } from "../value/index.ts";
import { CONVERSIONS_LIBRARY } from "./conversion.ts";
import type { CelLibrary } from "./library.ts";
import { OPERATORS_LIBRARY } from "./operators.ts";
import { MATCHES_LIBRARY } from "./regex.ts";
import { TIME_LIBRARY } from "./time.ts";

function textTest(id: string, call: (text: string, part: string) => boolean): readonly Overload[] {
  return [memberOverload(id, { parameters: [stringParam, stringParam], result: CEL_BOOL, cost: "scan", call })];
}

/** The standard library of the language, in every environment. */
export const STANDARD_LIBRARY: CelLibrary = {
  name: "standard",
  macros: STANDARD_MACROS,
  functions: [
    ...[OPERATORS_LIBRARY, CONVERSIONS_LIBRARY, MATCHES_LIBRARY, TIME_LIBRARY].flatMap(
      ({ functions = [] }) => functions,
    ),
    ["contains", textTest("contains_string", (text, part) => text.includes(part))],
    ["startsWith", textTest("starts_with_string", (text, part) => text.startsWith(part))],
    ["endsWith", textTest("ends_with_string", (text, part) => text.endsWith(part))],
  ],
};
