import { RE2JS, RE2JSException } from "re2js";
import { stringParam, intParam, functionOverload, memberOverload } from "../declare/index.ts";
import type { Implementation, Overload, Specialize } from "../declare/index.ts";
import { CEL_BOOL, CEL_STRING, CelError, celError, listType } from "../value/index.ts";
import type { CelOutcome } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

/** Maximum length of a pattern. Matching takes time proportional to pattern times text, so both are limited. */
const PATTERN_LENGTH_MAX = 4_096;

/** Maximum instructions per character of a dynamic pattern: repetitions multiply. */
const EXPANSION_MAX = 20;

/** Compiles a regular expression with RE2 syntax, which matches in linear time. */
export function compileRegex(pattern: string): RE2JS | CelError {
  if (pattern.length > PATTERN_LENGTH_MAX) return celError(`a pattern has at most ${PATTERN_LENGTH_MAX} characters`);
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return celError(`invalid regular expression: ${error.message}`);
    throw error;
  }
}

/** Uses a pattern compiled once if the second argument is constant; charges for the compiled size. */
function withPattern(use: (regex: RE2JS, text: string, count: number) => CelOutcome): Specialize {
  return ([, pattern]) => {
    if (typeof pattern !== "string") return undefined;
    const regex = compileRegex(pattern);
    if (regex instanceof CelError) return { call: () => regex, fault: regex };
    const call: Implementation = (text, _, count) =>
      typeof text === "string" ? use(regex, text, Number(count ?? -1)) : celError("not text");
    return { call, weight: regex.programSize() };
  };
}

function matches(regex: RE2JS, text: string): boolean {
  return regex.matcher(text).find();
}

function find(regex: RE2JS, text: string): string {
  const matcher = regex.matcher(text);
  return matcher.find() ? (matcher.group() ?? "") : "";
}

/** Returns all matches like Go: an empty match directly after another one is skipped. */
function findAll(regex: RE2JS, text: string, limit: number): CelOutcome {
  const found: string[] = [];
  const matcher = regex.matcher(text);
  let last = -1;
  const most = limit < 0 ? Infinity : limit;
  while (found.length < most && matcher.find()) {
    const isEcho = matcher.start() === matcher.end() && matcher.start() === last;
    last = matcher.end();
    if (!isEcho) found.push(matcher.group() ?? "");
  }
  return found;
}

function once(pattern: string, use: (regex: RE2JS) => CelOutcome): CelOutcome {
  const regex = compileRegex(pattern);
  if (regex instanceof CelError) return regex;
  const isLarge = regex.programSize() > EXPANSION_MAX * (pattern.length + 1);
  return isLarge ? celError("the repetitions of a pattern that is no constant are too large") : use(regex);
}

const matchesAs = (make: typeof functionOverload, id: string): Overload =>
  make(id, {
    parameters: [stringParam, stringParam],
    result: CEL_BOOL,
    cost: "search",
    call: (text, pattern) => once(pattern, (regex) => matches(regex, text)),
    specialize: withPattern(matches),
  });

/** `matches`. */
export const MATCHES_LIBRARY: CelLibrary = {
  name: "matches",
  functions: [["matches", [matchesAs(functionOverload, "matches"), matchesAs(memberOverload, "matches_string")]]],
};

/** `find` and `findAll`, as in k8s.io/apiserver/pkg/cel/library/regex.go. */
export const REGEX_LIBRARY: CelLibrary = {
  name: "regex",
  functions: [
    [
      "find",
      [
        memberOverload("string_find_string", {
          parameters: [stringParam, stringParam],
          result: CEL_STRING,
          cost: "search",
          call: (text, pattern) => once(pattern, (regex) => find(regex, text)),
          specialize: withPattern(find),
        }),
      ],
    ],
    [
      "findAll",
      [
        memberOverload("string_find_all_string", {
          parameters: [stringParam, stringParam],
          result: listType(CEL_STRING),
          cost: "search",
          call: (text, pattern) => once(pattern, (regex) => findAll(regex, text, -1)),
          specialize: withPattern(findAll),
        }),
        memberOverload("string_find_all_string_int", {
          parameters: [stringParam, stringParam, intParam],
          result: listType(CEL_STRING),
          cost: "search",
          call: (text, pattern, limit) => once(pattern, (regex) => findAll(regex, text, Number(limit))),
          specialize: withPattern(findAll),
        }),
      ],
    ],
  ],
};
