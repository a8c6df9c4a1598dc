import { listParam, stringParam, intParam, functionOverload, memberOverload } from "../declare/index.ts";
import type { Overload } from "../declare/index.ts";
import { CEL_DYN, CEL_INT, CEL_STRING, celError, listType } from "../value/index.ts";
import type { CelError, CelInt, CelList, CelOutcome } from "../value/index.ts";
import { formatString } from "./format.ts";
import type { CelLibrary } from "./library.ts";
import { codePoints } from "./string-encoding.ts";

/** Maximum length of a string created by a function. */
const TEXT_LENGTH_MAX = 10_000_000;

function outOfRange(index: CelInt): CelError {
  return celError(`index out of range: ${index}`);
}

function charAt(text: string, index: CelInt): CelOutcome {
  const all = codePoints(text);
  if (index < 0 || index > all.length) return outOfRange(index);
  return all[Number(index)] ?? "";
}

/** Returns the position of `part` in `text` from an index on, in code points. */
function indexOf(text: string, part: string, from: CelInt): CelOutcome {
  const all = codePoints(text);
  if (from < 0 || from > all.length) return outOfRange(from);
  const start = all.slice(0, Number(from)).join("").length;
  const found = text.indexOf(part, start);
  return found === -1 ? -1 : codePoints(text.slice(0, found)).length;
}

function lastIndexOf(text: string, part: string, from: CelInt | undefined): CelOutcome {
  const all = codePoints(text);
  if (from !== undefined && (from < 0 || from > all.length)) return outOfRange(from);
  const start = from === undefined ? text.length : all.slice(0, Number(from)).join("").length;
  const found = text.lastIndexOf(part, start);
  return found === -1 ? -1 : codePoints(text.slice(0, found)).length;
}

function substring(text: string, start: CelInt, end: CelInt | undefined): CelOutcome {
  const all = codePoints(text);
  const stop = end ?? all.length;
  if (start < 0 || start > all.length) return outOfRange(start);
  if (stop < 0 || stop > all.length) return outOfRange(stop);
  if (start > stop) return celError(`invalid substring range. start: ${start}, end: ${stop}`);
  return all.slice(Number(start), Number(stop)).join("");
}

function replace(text: string, from: string, to: string, limit: CelInt): CelOutcome {
  const times = limit < 0 ? Infinity : Number(limit);
  const parts = from === "" ? ["", ...codePoints(text), ""] : text.split(from);
  const replaced = Math.min(times, parts.length - 1);
  if (text.length + replaced * to.length > TEXT_LENGTH_MAX) return celError("the text is too long");
  const head = parts.slice(0, replaced + 1).join(to);
  const tail = parts.slice(replaced + 1);
  return tail.length === 0 ? head : [head, ...tail].join(from);
}

function split(text: string, separator: string, limit: CelInt): CelOutcome {
  if (limit === 0) return [];
  const parts = separator === "" ? codePoints(text) : text.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  const count = Number(limit);
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function join(list: CelList, separator: string): CelOutcome {
  const texts = list.filter((item) => typeof item === "string");
  if (texts.length !== list.length) return celError("no such overload: join of a list that has more than strings");
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
  return length > TEXT_LENGTH_MAX ? celError("the text is too long") : texts.join(separator);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

function quote(text: string): string {
  const escaped = codePoints(text.toWellFormed()).map((character) => ESCAPES.get(character) ?? character);
  return `"${escaped.join("")}"`;
}

/** Unicode white space, which differs from `trim`: it includes U+0085, but not U+FEFF. */
const TRIM =
  /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

function trim(text: string): string {
  return text.replaceAll(TRIM, "");
}

function ofText(id: string, call: (text: string) => string): readonly Overload[] {
  return [memberOverload(id, { parameters: [stringParam], result: CEL_STRING, cost: "scan", call })];
}

const SCAN = { cost: "scan" } as const;

const SEARCHING: CelLibrary["functions"] = [
  [
    "charAt",
    [
      memberOverload("string_char_at_int", {
        ...SCAN,
        parameters: [stringParam, intParam],
        result: CEL_STRING,
        call: charAt,
      }),
    ],
  ],
  [
    "indexOf",
    [
      memberOverload("string_index_of_string", {
        ...SCAN,
        parameters: [stringParam, stringParam],
        result: CEL_INT,
        call: (text, part) => indexOf(text, part, 0),
      }),
      memberOverload("string_index_of_string_int", {
        ...SCAN,
        parameters: [stringParam, stringParam, intParam],
        result: CEL_INT,
        call: indexOf,
      }),
    ],
  ],
  [
    "lastIndexOf",
    [
      memberOverload("string_last_index_of_string", {
        ...SCAN,
        parameters: [stringParam, stringParam],
        result: CEL_INT,
        call: (text, part) => lastIndexOf(text, part, undefined),
      }),
      memberOverload("string_last_index_of_string_int", {
        ...SCAN,
        parameters: [stringParam, stringParam, intParam],
        result: CEL_INT,
        call: lastIndexOf,
      }),
    ],
  ],
  [
    "substring",
    [
      memberOverload("string_substring_int", {
        ...SCAN,
        parameters: [stringParam, intParam],
        result: CEL_STRING,
        call: (text, start) => substring(text, start, undefined),
      }),
      memberOverload("string_substring_int_int", {
        ...SCAN,
        parameters: [stringParam, intParam, intParam],
        result: CEL_STRING,
        call: substring,
      }),
    ],
  ],
];

const BUILDING: CelLibrary["functions"] = [
  [
    "replace",
    [
      memberOverload("string_replace_string_string", {
        ...SCAN,
        parameters: [stringParam, stringParam, stringParam],
        result: CEL_STRING,
        call: (text, from, to) => replace(text, from, to, -1),
      }),
      memberOverload("string_replace_string_string_int", {
        ...SCAN,
        parameters: [stringParam, stringParam, stringParam, intParam],
        result: CEL_STRING,
        call: replace,
      }),
    ],
  ],
  [
    "split",
    [
      memberOverload("string_split_string", {
        ...SCAN,
        parameters: [stringParam, stringParam],
        result: listType(CEL_STRING),
        call: (text, separator) => split(text, separator, -1),
      }),
      memberOverload("string_split_string_int", {
        ...SCAN,
        parameters: [stringParam, stringParam, intParam],
        result: listType(CEL_STRING),
        call: split,
      }),
    ],
  ],
  [
    "join",
    [
      memberOverload("list_join", {
        cost: "each",
        parameters: [listParam(CEL_STRING)],
        result: CEL_STRING,
        call: (list) => join(list, ""),
      }),
      memberOverload("list_join_string", {
        cost: "each",
        parameters: [listParam(CEL_STRING), stringParam],
        result: CEL_STRING,
        call: join,
      }),
    ],
  ],
  [
    "format",
    [
      memberOverload("string_format", {
        ...SCAN,
        parameters: [stringParam, listParam(CEL_DYN)],
        result: CEL_STRING,
        metered: formatString,
      }),
    ],
  ],
  [
    "strings.quote",
    [functionOverload("strings_quote", { ...SCAN, parameters: [stringParam], result: CEL_STRING, call: quote })],
  ],
];

/** The strings extension. Positions count code points. */
export const STRINGS_LIBRARY: CelLibrary = {
  name: "strings",
  functions: [
    ...SEARCHING,
    ...BUILDING,
    ["lowerAscii", ofText("string_lower_ascii", (text) => text.replaceAll(/[A-Z]+/g, (run) => run.toLowerCase()))],
    ["upperAscii", ofText("string_upper_ascii", (text) => text.replaceAll(/[a-z]+/g, (run) => run.toUpperCase()))],
    ["trim", ofText("string_trim", trim)],
    ["reverse", ofText("string_reverse", (text) => codePoints(text).toReversed().join(""))],
  ],
};
