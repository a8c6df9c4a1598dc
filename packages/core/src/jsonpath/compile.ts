import { Cursor } from "./cursor.ts";
import { JsonPathError } from "./error.ts";
import { parseOperand, parseOperator } from "./operand.ts";
import type { JsonPath, PathFilter, PathStep } from "./path.ts";
import { quotedKey } from "./quote.ts";

/** How long the text of a path may be. Real ones have tens of characters. */
export const JSON_PATH_LENGTH_MAX = 4_096;

/**
 * Compiles a path. Accepts `.a.b`, `a.b`, `$.a`, each also in braces; `['a']`, `["a"]`, `a\.b` for names with symbols;
 * `[0]`, `[-1]`, `[1:3]`, `[::2]`, `[*]`, `.*`, `..a`, `[0,2]`; and filters as `[?(@.type=="Ready")]` or `[?(@.x)]`.
 * Throws a `JsonPathError` for anything else.
 */
export function compilePath(text: string): JsonPath {
  if (text.length > JSON_PATH_LENGTH_MAX) {
    throw new JsonPathError(`a path has at most ${JSON_PATH_LENGTH_MAX} characters`, JSON_PATH_LENGTH_MAX);
  }
  const cursor = new Cursor(text);
  cursor.skipBlank();
  const braced = cursor.eat("{");
  cursor.skipBlank();
  const steps = parseRoot(cursor);
  cursor.skipBlank();
  if (braced) cursor.expect("}");
  cursor.skipBlank();
  if (cursor.peek() !== "") throw cursor.fail("expected '.', '[' or the end");
  return { text, steps };
}

/** What ends a name, in a filter also the signs that a filter is made of. */
const NAME_END = " \t\r\n.,[]$@{}";
const FILTER_NAME_END = `${NAME_END}=!<>()'"&|~`;

function parseRoot(cursor: Cursor): readonly PathStep[] {
  if (cursor.eat("$") || cursor.eat("@")) return parseSteps(cursor, NAME_END);
  if (cursor.sees(".") || cursor.sees("[")) {
    const whole = cursor.match(/\.(?=[ \t]*\}?[ \t]*$)/y); // `.` alone is the document
    return whole === undefined ? parseSteps(cursor, NAME_END) : [];
  }
  const first = parseName(cursor, NAME_END);
  return [first, ...parseSteps(cursor, NAME_END)];
}

function parseSteps(cursor: Cursor, nameEnd: string): readonly PathStep[] {
  const steps: PathStep[] = [];
  for (;;) {
    if (cursor.eat("..")) {
      if (cursor.sees("..")) throw cursor.fail("expected a name after '..'");
      steps.push({ kind: "descend" });
      if (isNameStart(cursor, nameEnd)) steps.push(parseName(cursor, nameEnd));
    } else if (cursor.eat(".")) {
      steps.push(parseName(cursor, nameEnd));
    } else if (cursor.eat("[?(")) {
      steps.push({ kind: "filter", filter: parseFilter(cursor) });
    } else if (cursor.eat("[")) {
      steps.push(parseBracket(cursor));
    } else {
      return steps;
    }
  }
}

function isNameStart(cursor: Cursor, nameEnd: string): boolean {
  return cursor.peek() !== "" && !nameEnd.includes(cursor.peek());
}

/** A name up to its end, or `*`. A backslash makes the next character part of the name. */
function parseName(cursor: Cursor, nameEnd: string): PathStep {
  if (!isNameStart(cursor, nameEnd)) throw cursor.fail("expected a name");
  const start = cursor.position;
  let name = "";
  while (isNameStart(cursor, nameEnd)) {
    cursor.eat("\\");
    name += cursor.take();
  }
  if (cursor.text.slice(start, cursor.position) === "*") return { kind: "wildcard" };
  return { kind: "field", name };
}

/** What stands between brackets, the first of which has been read. */
function parseBracket(cursor: Cursor): PathStep {
  const steps: PathStep[] = [];
  do {
    cursor.skipBlank();
    steps.push(parseSelector(cursor));
    cursor.skipBlank();
  } while (cursor.eat(","));
  cursor.expect("]");
  const [only] = steps;
  return only !== undefined && steps.length === 1 ? only : { kind: "union", steps };
}

const INDEX_OR_SLICE = /(?<start>-?\d+)?(?<slice>:(?<end>-?\d+)?(?::(?<stride>-?\d+)?)?)?/y;

function parseSelector(cursor: Cursor): PathStep {
  if (cursor.sees("'") || cursor.sees('"')) return quotedKey(cursor);
  if (cursor.eat("*")) return { kind: "slice", start: 0, end: undefined, stride: 1 };
  const { position } = cursor;
  const groups = cursor.match(INDEX_OR_SLICE)?.groups ?? {};
  if (cursor.position === position) throw cursor.fail("expected an index, a slice, '*', '?(' or a name in quotes");
  if (groups["slice"] === undefined) return { kind: "index", index: Number(groups["start"]) };
  const end = groups["end"] === undefined ? undefined : Number(groups["end"]);
  const stride = Number(groups["stride"] ?? 1);
  if (stride <= 0) throw new JsonPathError("the step of a slice must be positive", position);
  return { kind: "slice", start: Number(groups["start"] ?? 0), end, stride };
}

/** What stands between `[?(` and `)]`. */
function parseFilter(cursor: Cursor): PathFilter {
  const parsePath = (): readonly PathStep[] => parseSteps(cursor, FILTER_NAME_END);
  cursor.skipBlank();
  const left = parseOperand(cursor, parsePath);
  cursor.skipBlank();
  if (left.kind === "path" && cursor.eat(")]")) return { kind: "exists", steps: left.steps };
  const operator = parseOperator(cursor);
  cursor.skipBlank();
  const right = parseOperand(cursor, parsePath);
  cursor.skipBlank();
  cursor.expect(")]");
  return { kind: "compare", left, operator, right };
}
