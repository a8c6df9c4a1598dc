import { Cursor } from "./cursor.ts";
import { JsonPathError } from "./json-path-error.ts";
import { parseOperand, parseOperator } from "./operand.ts";
import type { JsonPath, PathFilter, PathStep } from "./path.ts";
import { parseQuotedKey } from "./quote.ts";

/** Maximum length of a path. Typical paths have tens of characters. */
export const JSON_PATH_LENGTH_MAX = 4_096;

/**
 * Compiles a path. Accepts `.a.b`, `a.b`, `$.a`, each also in braces; `['a']`, `["a"]`, `a\.b` for names with symbols;
 * `[0]`, `[-1]`, `[1:3]`, `[::2]`, `[*]`, `.*`, `..a`, `[0,2]`; and filters as `[?(@.type=="Ready")]` or `[?(@.x)]`.
 * Throws a `JsonPathError` for anything else.
 */
export function compileJsonPath(text: string): JsonPath {
  if (text.length > JSON_PATH_LENGTH_MAX) {
    throw new JsonPathError(`a path can have at most ${JSON_PATH_LENGTH_MAX} characters`, JSON_PATH_LENGTH_MAX);
  }
  const cursor = new Cursor(text);
  cursor.skipWhitespace();
  const braced = cursor.consume("{");
  cursor.skipWhitespace();
  const steps = parseRoot(cursor);
  cursor.skipWhitespace();
  if (braced) cursor.expect("}");
  cursor.skipWhitespace();
  if (cursor.peek() !== "") throw cursor.error("expected '.', '[' or the end");
  return { text, steps };
}

/** Characters that end a name; in a filter also its operators. */
const NAME_END = " \t\r\n.,[]$@{}";
const FILTER_NAME_END = `${NAME_END}=!<>()'"&|~`;

function parseRoot(cursor: Cursor): readonly PathStep[] {
  if (cursor.consume("$") || cursor.consume("@")) return parseSteps(cursor, NAME_END);
  if (cursor.startsWith(".") || cursor.startsWith("[")) {
    const whole = cursor.match(/\.(?=[ \t]*\}?[ \t]*$)/y); // `.` is the whole document
    return whole === undefined ? parseSteps(cursor, NAME_END) : [];
  }
  const first = parseName(cursor, NAME_END);
  return [first, ...parseSteps(cursor, NAME_END)];
}

function parseSteps(cursor: Cursor, nameEnd: string): readonly PathStep[] {
  const steps: PathStep[] = [];
  for (;;) {
    if (cursor.consume("..")) {
      if (cursor.startsWith("..")) throw cursor.error("expected a name after '..'");
      steps.push({ kind: "descend" });
      if (isNameStart(cursor, nameEnd)) steps.push(parseName(cursor, nameEnd));
    } else if (cursor.consume(".")) {
      steps.push(parseName(cursor, nameEnd));
    } else if (cursor.consume("[?(")) {
      steps.push({ kind: "filter", filter: parseFilter(cursor) });
    } else if (cursor.consume("[")) {
      steps.push(parseBracket(cursor));
    } else {
      return steps;
    }
  }
}

function isNameStart(cursor: Cursor, nameEnd: string): boolean {
  return cursor.peek() !== "" && !nameEnd.includes(cursor.peek());
}

/** Parses a name, or `*`. A backslash escapes the next character. */
function parseName(cursor: Cursor, nameEnd: string): PathStep {
  if (!isNameStart(cursor, nameEnd)) throw cursor.error("expected a name");
  const start = cursor.position;
  let name = "";
  while (isNameStart(cursor, nameEnd)) {
    cursor.consume("\\");
    name += cursor.take();
  }
  if (cursor.text.slice(start, cursor.position) === "*") return { kind: "wildcard" };
  return { kind: "field", name };
}

/** Parses a bracket after its opening character. */
function parseBracket(cursor: Cursor): PathStep {
  const steps: PathStep[] = [];
  do {
    cursor.skipWhitespace();
    steps.push(parseSelector(cursor));
    cursor.skipWhitespace();
  } while (cursor.consume(","));
  cursor.expect("]");
  const [only] = steps;
  return only !== undefined && steps.length === 1 ? only : { kind: "union", steps };
}

const INDEX_OR_SLICE = /(?<start>-?\d+)?(?<slice>:(?<end>-?\d+)?(?::(?<stride>-?\d+)?)?)?/y;

function parseSelector(cursor: Cursor): PathStep {
  if (cursor.startsWith("'") || cursor.startsWith('"')) return parseQuotedKey(cursor);
  if (cursor.consume("*")) return { kind: "slice", start: 0, end: undefined, stride: 1 };
  const { position } = cursor;
  const groups = cursor.match(INDEX_OR_SLICE)?.groups ?? {};
  if (cursor.position === position) throw cursor.error("expected an index, a slice, '*', '?(' or a name in quotes");
  if (groups["slice"] === undefined) return { kind: "index", index: Number(groups["start"]) };
  const end = groups["end"] === undefined ? undefined : Number(groups["end"]);
  const stride = Number(groups["stride"] ?? 1);
  if (stride <= 0) throw new JsonPathError("the step of a slice must be positive", position);
  return { kind: "slice", start: Number(groups["start"] ?? 0), end, stride };
}

/** Parses a filter between `[?(` and `)]`. */
function parseFilter(cursor: Cursor): PathFilter {
  const parsePath = (): readonly PathStep[] => parseSteps(cursor, FILTER_NAME_END);
  cursor.skipWhitespace();
  const left = parseOperand(cursor, parsePath);
  cursor.skipWhitespace();
  if (left.kind === "path" && cursor.consume(")]")) return { kind: "exists", steps: left.steps };
  const operator = parseOperator(cursor);
  cursor.skipWhitespace();
  const right = parseOperand(cursor, parsePath);
  cursor.skipWhitespace();
  cursor.expect(")]");
  return { kind: "compare", left, operator, right };
}
