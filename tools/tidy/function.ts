import { matchBrackets } from "./token.ts";
import type { Token } from "./token.ts";

/** A function with a body, detected from tokens. */
export interface FunctionSpan {
  /** Its name, or `=>` and `function` for those without. */
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
  /** Whether it is an argument of a call. */
  readonly isArgument: boolean;
}

interface Program {
  readonly tokens: readonly Token[];
  readonly partners: ReadonlyMap<number, number>;
}

/** Keywords before a parenthesis and a block that are not method names. */
const NO_METHOD = new Set(["if", "for", "while", "switch", "catch", "with", "await", "function", "async", "return"]);
/** Tokens before an object type; the body of a function never follows them. */
const BEFORE_TYPE = new Set([":", "|", "&", "=>", "<", ",", "?", "is", "extends", "keyof", "readonly"]);

/** Punctuation that may end a type. */
const AFTER_TYPE = new Set([">", ")", "]", "}"]);

/**
 * Returns the functions of a program: declarations, expressions, methods, accessors and arrows, including nested ones.
 */
export function scanFunctions(tokens: readonly Token[]): readonly FunctionSpan[] {
  const program = { tokens, partners: matchBrackets(tokens) };
  const spans: FunctionSpan[] = [];
  for (const [index, token] of tokens.entries()) {
    const span =
      token.text === "function" && token.kind === "word"
        ? functionAt(program, index)
        : token.text === "=>"
          ? arrowAt(program, index)
          : methodAt(program, index);
    if (span !== undefined) spans.push(span);
  }
  return spans;
}

function functionAt(program: Program, index: number): FunctionSpan | undefined {
  const { tokens } = program;
  const named = tokens[index + 1]?.text === "*" ? index + 2 : index + 1;
  const body = bodyAfterSignature(program, tokens[named]?.kind === "word" ? named + 1 : named);
  const name = tokens[named]?.kind === "word" ? (tokens[named]?.text ?? "") : "function";
  return body === undefined ? undefined : spanOf(program, name, index, body);
}

function methodAt(program: Program, index: number): FunctionSpan | undefined {
  const { tokens } = program;
  const name = methodName(program, index);
  const before = tokens[index - 1]?.text ?? "";
  if (name === undefined || (before === "*" && tokens[index - 2]?.text === "function")) return undefined;
  const body = bodyAfterSignature(program, index + 1);
  const span = body === undefined ? undefined : spanOf(program, name, index, body);
  return span === undefined ? undefined : { ...span, isArgument: false };
}

/** Returns the method name if the token at `index` is the last one before the parameters of a method. */
function methodName({ tokens }: Program, index: number): string | undefined {
  const token = tokens[index];
  const next = tokens[index + 1]?.text;
  if (token === undefined || (next !== "(" && next !== "<")) return undefined;
  if (token.kind === "string") return token.text;
  if (token.text === "]" && token.kind === "punct") return "[…]";
  if (token.kind !== "word" || NO_METHOD.has(token.text)) return undefined;
  const before = tokens[index - 1]?.text ?? "";
  const isCall = before === "." || before === "?." || before === "function" || before === "new";
  return isCall ? undefined : token.text;
}

/** Returns the index of the body's brace, given the start of the parameters; undefined if it is not a function. */
function bodyAfterSignature(program: Program, start: number): number | undefined {
  const { tokens, partners } = program;
  const open = tokens[start]?.text === "<" ? afterAngles(program, start) : start;
  const close = tokens[open]?.text === "(" ? partners.get(open) : undefined;
  if (close === undefined) return undefined;
  const next = tokens[close + 1]?.text;
  if (next === "{") return close + 1;
  return next === ":" ? bodyAfterType(program, close + 2) : undefined;
}

function bodyAfterType({ tokens, partners }: Program, start: number): number | undefined {
  let angles = 0;
  for (let index = start; index < tokens.length; index += 1) {
    const text = tokens[index]?.text ?? "";
    if (text === "{" && !BEFORE_TYPE.has(tokens[index - 1]?.text ?? "")) return index;
    if (text === "(" || text === "[" || text === "{") index = partners.get(index) ?? tokens.length;
    if (text === "<") angles += 1;
    if (text === ">") angles -= 1;
    if (text === ";" || text === ")" || text === "]" || text === "}" || text === "=") return undefined;
    if (text === "," && angles <= 0) return undefined;
  }
  return undefined;
}

function afterAngles({ tokens, partners }: Program, start: number): number {
  let angles = 0;
  for (let index = start; index < tokens.length; index += 1) {
    const text = tokens[index]?.text ?? "";
    if (text === "(" || text === "[" || text === "{") index = partners.get(index) ?? tokens.length;
    if (text === "<") angles += 1;
    if (text === ">") angles -= 1;
    if (angles === 0) return index + 1;
    if (text === ";" || text === ")" || text === "}") return tokens.length;
  }
  return tokens.length;
}

function arrowAt(program: Program, index: number): FunctionSpan | undefined {
  const { tokens } = program;
  const head = arrowHead(program, index);
  const first = tokens[head - 1]?.text === "async" ? head - 1 : head;
  if (tokens[index + 1]?.text === "{") return spanOf(program, "=>", first, index + 1);
  const endLine = tokens[expressionEnd(program, index + 1) ?? -1]?.endLine;
  const line = tokens[first]?.line;
  if (line === undefined || endLine === undefined) return undefined;
  return { name: nameBefore(program, first) ?? "=>", line, endLine, isArgument: isArgument(program, first) };
}

/** Returns the index where the parameters of an arrow function start. */
function arrowHead({ tokens, partners }: Program, arrow: number): number {
  for (let index = arrow - 1; index >= 0; index -= 1) {
    const text = tokens[index]?.text ?? "";
    const isParameters = text === ")" && (index === arrow - 1 || tokens[index + 1]?.text === ":");
    if (isParameters) return partners.get(index) ?? arrow - 1;
    if (text === ")" || text === "]" || text === "}") index = partners.get(index) ?? 0;
    else if (text === ";" || text === "=" || text === "(" || text === "{") return arrow - 1;
  }
  return arrow - 1;
}

/** Returns the index of the last token of an expression; undefined for a type before a body: `(): () => void {`. */
function expressionEnd({ tokens, partners }: Program, start: number): number | undefined {
  for (let index = start; index < tokens.length; index += 1) {
    const text = tokens[index]?.text ?? "";
    const before = tokens[index - 1];
    if (text === "{" && index > start && (before?.kind === "word" || AFTER_TYPE.has(before?.text ?? "")))
      return undefined;
    if (text === "(" || text === "[" || text === "{") index = partners.get(index) ?? tokens.length;
    if (text === ";" || text === "," || text === ")" || text === "]" || text === "}") return index - 1;
  }
  return tokens.length - 1;
}

function spanOf(program: Program, fallback: string, first: number, body: number): FunctionSpan | undefined {
  const { tokens, partners } = program;
  const endLine = tokens[partners.get(body) ?? -1]?.endLine;
  const line = tokens[first]?.line;
  if (line === undefined || endLine === undefined) return undefined;
  const name = fallback === "=>" ? (nameBefore(program, first) ?? fallback) : fallback;
  return { name, line, endLine, isArgument: isArgument(program, first) };
}

/** Returns the name of an arrow function that starts at `first`: `name = …`, `name: Type = …` or `name: …`. */
function nameBefore({ tokens }: Program, first: number): string | undefined {
  const before = tokens[first - 1]?.text;
  const name = tokens[first - 2];
  return (before === "=" || before === ":") && name?.kind === "word" ? name.text : undefined;
}

function isArgument({ tokens }: Program, first: number): boolean {
  const before = tokens[first - 1]?.text;
  return before === "(" || before === ",";
}
