import { aListOf, aString, anInt, global, member } from "../declare/index.ts";
import type { Overload } from "../declare/index.ts";
import { CEL_DYN, CEL_INT, CEL_STRING, fault, listType } from "../value/index.ts";
import type { CelFault, CelInt, CelList, CelOutcome } from "../value/index.ts";
import { formatText } from "./format.ts";
import type { CelLibrary } from "./library.ts";
import { characters } from "./text.ts";

/** How long a text that a function builds may be. */
const TEXT_LENGTH_MAX = 10_000_000;

function outOfRange(index: CelInt): CelFault {
  return fault(`index out of range: ${index}`);
}

function charAt(text: string, index: CelInt): CelOutcome {
  const all = characters(text);
  if (index < 0 || index > all.length) return outOfRange(index);
  return all[Number(index)] ?? "";
}

/** Where `part` starts in `text`, from an index on, in code points. */
function indexOf(text: string, part: string, from: CelInt): CelOutcome {
  const all = characters(text);
  if (from < 0 || from > all.length) return outOfRange(from);
  const start = all.slice(0, Number(from)).join("").length;
  const found = text.indexOf(part, start);
  return found === -1 ? -1 : characters(text.slice(0, found)).length;
}

function lastIndexOf(text: string, part: string, from: CelInt | undefined): CelOutcome {
  const all = characters(text);
  if (from !== undefined && (from < 0 || from > all.length)) return outOfRange(from);
  const start = from === undefined ? text.length : all.slice(0, Number(from)).join("").length;
  const found = text.lastIndexOf(part, start);
  return found === -1 ? -1 : characters(text.slice(0, found)).length;
}

function substring(text: string, start: CelInt, end: CelInt | undefined): CelOutcome {
  const all = characters(text);
  const stop = end ?? all.length;
  if (start < 0 || start > all.length) return outOfRange(start);
  if (stop < 0 || stop > all.length) return outOfRange(stop);
  if (start > stop) return fault(`invalid substring range. start: ${start}, end: ${stop}`);
  return all.slice(Number(start), Number(stop)).join("");
}

function replace(text: string, from: string, to: string, limit: CelInt): CelOutcome {
  const times = limit < 0 ? Infinity : Number(limit);
  const parts = from === "" ? ["", ...characters(text), ""] : text.split(from);
  const replaced = Math.min(times, parts.length - 1);
  if (text.length + replaced * to.length > TEXT_LENGTH_MAX) return fault("the text is too long");
  const head = parts.slice(0, replaced + 1).join(to);
  const tail = parts.slice(replaced + 1);
  return tail.length === 0 ? head : [head, ...tail].join(from);
}

function split(text: string, separator: string, limit: CelInt): CelOutcome {
  if (limit === 0) return [];
  const parts = separator === "" ? characters(text) : text.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  const count = Number(limit);
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function join(list: CelList, separator: string): CelOutcome {
  const texts = list.filter((item) => typeof item === "string");
  if (texts.length !== list.length) return fault("no such overload: join of a list that has more than strings");
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
  return length > TEXT_LENGTH_MAX ? fault("the text is too long") : texts.join(separator);
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
  const escaped = characters(text.toWellFormed()).map((character) => ESCAPES.get(character) ?? character);
  return `"${escaped.join("")}"`;
}

/** Unicode's white space, which has more in it than `trim` takes: U+0085, but not U+FEFF. */
const TRIM =
  /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

function trim(text: string): string {
  return text.replaceAll(TRIM, "");
}

function ofText(id: string, call: (text: string) => string): readonly Overload[] {
  return [member(id, { parameters: [aString], result: CEL_STRING, cost: "scan", call })];
}

const SCAN = { cost: "scan" } as const;

const SEARCHING: CelLibrary["functions"] = [
  [
    "charAt",
    [member("string_char_at_int", { ...SCAN, parameters: [aString, anInt], result: CEL_STRING, call: charAt })],
  ],
  [
    "indexOf",
    [
      member("string_index_of_string", {
        ...SCAN,
        parameters: [aString, aString],
        result: CEL_INT,
        call: (text, part) => indexOf(text, part, 0),
      }),
      member("string_index_of_string_int", {
        ...SCAN,
        parameters: [aString, aString, anInt],
        result: CEL_INT,
        call: indexOf,
      }),
    ],
  ],
  [
    "lastIndexOf",
    [
      member("string_last_index_of_string", {
        ...SCAN,
        parameters: [aString, aString],
        result: CEL_INT,
        call: (text, part) => lastIndexOf(text, part, undefined),
      }),
      member("string_last_index_of_string_int", {
        ...SCAN,
        parameters: [aString, aString, anInt],
        result: CEL_INT,
        call: lastIndexOf,
      }),
    ],
  ],
  [
    "substring",
    [
      member("string_substring_int", {
        ...SCAN,
        parameters: [aString, anInt],
        result: CEL_STRING,
        call: (text, start) => substring(text, start, undefined),
      }),
      member("string_substring_int_int", {
        ...SCAN,
        parameters: [aString, anInt, anInt],
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
      member("string_replace_string_string", {
        ...SCAN,
        parameters: [aString, aString, aString],
        result: CEL_STRING,
        call: (text, from, to) => replace(text, from, to, -1),
      }),
      member("string_replace_string_string_int", {
        ...SCAN,
        parameters: [aString, aString, aString, anInt],
        result: CEL_STRING,
        call: replace,
      }),
    ],
  ],
  [
    "split",
    [
      member("string_split_string", {
        ...SCAN,
        parameters: [aString, aString],
        result: listType(CEL_STRING),
        call: (text, separator) => split(text, separator, -1),
      }),
      member("string_split_string_int", {
        ...SCAN,
        parameters: [aString, aString, anInt],
        result: listType(CEL_STRING),
        call: split,
      }),
    ],
  ],
  [
    "join",
    [
      member("list_join", {
        cost: "each",
        parameters: [aListOf(CEL_STRING)],
        result: CEL_STRING,
        call: (list) => join(list, ""),
      }),
      member("list_join_string", {
        cost: "each",
        parameters: [aListOf(CEL_STRING), aString],
        result: CEL_STRING,
        call: join,
      }),
    ],
  ],
  [
    "format",
    [
      member("string_format", {
        ...SCAN,
        parameters: [aString, aListOf(CEL_DYN)],
        result: CEL_STRING,
        metered: formatText,
      }),
    ],
  ],
  ["strings.quote", [global("strings_quote", { ...SCAN, parameters: [aString], result: CEL_STRING, call: quote })]],
];

/** The strings extension. Positions count code points. */
export const STRINGS: CelLibrary = {
  name: "strings",
  functions: [
    ...SEARCHING,
    ...BUILDING,
    ["lowerAscii", ofText("string_lower_ascii", (text) => text.replaceAll(/[A-Z]+/g, (run) => run.toLowerCase()))],
    ["upperAscii", ofText("string_upper_ascii", (text) => text.replaceAll(/[a-z]+/g, (run) => run.toUpperCase()))],
    ["trim", ofText("string_trim", trim)],
    ["reverse", ofText("string_reverse", (text) => characters(text).toReversed().join(""))],
  ],
};
