import { RE2JS, RE2JSException } from "re2js";
import { aString, anInt, global, member } from "../declare/index.ts";
import type { Implementation, Overload, Specialize } from "../declare/index.ts";
import { CEL_BOOL, CEL_STRING, CelFault, fault, listType } from "../value/index.ts";
import type { CelOutcome } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

/** How long a pattern may be. Matching takes time in proportion to pattern times text, so both have bounds. */
const PATTERN_LENGTH_MAX = 4_096;

/** How many instructions a pattern that is not known beforehand may have per character: repetitions multiply. */
const EXPANSION_MAX = 20;

/** A regular expression with RE2's syntax, which has no backtracking and so no pattern that takes exponential time. */
export function compilePattern(pattern: string): RE2JS | CelFault {
  if (pattern.length > PATTERN_LENGTH_MAX) return fault(`a pattern has at most ${PATTERN_LENGTH_MAX} characters`);
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) return fault(`invalid regular expression: ${error.message}`);
    throw error;
  }
}

/** Runs with a pattern compiled once, where the second argument is a constant; pays for the size of what was compiled. */
function withPattern(use: (regex: RE2JS, text: string, count: number) => CelOutcome): Specialize {
  return ([, pattern]) => {
    if (typeof pattern !== "string") return undefined;
    const regex = compilePattern(pattern);
    if (regex instanceof CelFault) return { call: () => regex, fault: regex };
    const call: Implementation = (text, _, count) =>
      typeof text === "string" ? use(regex, text, Number(count ?? -1)) : fault("not text");
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

/** All matches, as Go finds them: an empty one right after another match does not count. */
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
  const regex = compilePattern(pattern);
  if (regex instanceof CelFault) return regex;
  const isLarge = regex.programSize() > EXPANSION_MAX * (pattern.length + 1);
  return isLarge ? fault("the repetitions of a pattern that is no constant are too large") : use(regex);
}

const matchesAs = (make: typeof global, id: string): Overload =>
  make(id, {
    parameters: [aString, aString],
    result: CEL_BOOL,
    cost: "search",
    call: (text, pattern) => once(pattern, (regex) => matches(regex, text)),
    specialize: withPattern(matches),
  });

/** `matches`. */
export const MATCHES: CelLibrary = {
  name: "matches",
  functions: [["matches", [matchesAs(global, "matches"), matchesAs(member, "matches_string")]]],
};

/** `find` and `findAll`, as Kubernetes has them. */
export const REGEX: CelLibrary = {
  name: "regex",
  functions: [
    [
      "find",
      [
        member("string_find_string", {
          parameters: [aString, aString],
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
        member("string_find_all_string", {
          parameters: [aString, aString],
          result: listType(CEL_STRING),
          cost: "search",
          call: (text, pattern) => once(pattern, (regex) => findAll(regex, text, -1)),
          specialize: withPattern(findAll),
        }),
        member("string_find_all_string_int", {
          parameters: [aString, aString, anInt],
          result: listType(CEL_STRING),
          cost: "search",
          call: (text, pattern, limit) => once(pattern, (regex) => findAll(regex, text, Number(limit))),
          specialize: withPattern(findAll),
        }),
      ],
    ],
  ],
};
