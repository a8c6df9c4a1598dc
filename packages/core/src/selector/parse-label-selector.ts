import { SelectorError } from "./selector-error.ts";
import { labelKeyProblem, labelValueProblem } from "./label-syntax.ts";
import { tokenizeLabelSelector } from "./label-token.ts";
import type { LabelToken } from "./label-token.ts";
import { selectorOfRequirements, labelInteger } from "./label-selector.ts";
import type { LabelRequirement, LabelSelector } from "./label-selector.ts";

/**
 * Parses a label selector: requirements joined by commas, of the forms `a`, `!a`, `a=b`, `a==b`, `a!=b`, `a in (b,c)`,
 * `a notin (b)`, `a>1`, `a<1`. An absent value is the empty value (`a=`, `a in (,b)`), `in` and `notin` may be keys and
 * values, and a trailing comma is an error (k8s.io/apimachinery/pkg/labels/selector.go). The empty string selects
 * everything. Throws a `SelectorError`.
 */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = new Tokens(tokenizeLabelSelector(text));
  const requirements: LabelRequirement[] = [];
  if (tokens.peek().kind === "end") return selectorOfRequirements(requirements);
  for (;;) {
    requirements.push(parseRequirement(tokens));
    const next = tokens.take();
    if (next.kind === "end") return selectorOfRequirements(requirements);
    if (next.text !== ",") throw unexpected(next, "',' or the end");
  }
}

/** The remaining tokens. The end token is never consumed. */
class Tokens {
  readonly #tokens: readonly LabelToken[];
  #next = 0;

  constructor(tokens: readonly LabelToken[]) {
    this.#tokens = tokens;
  }

  peek(): LabelToken {
    return this.#tokens[this.#next] ?? { kind: "end", text: "", position: 0 };
  }

  take(): LabelToken {
    const token = this.peek();
    if (token.kind !== "end") this.#next += 1;
    return token;
  }
}

function parseRequirement(tokens: Tokens): LabelRequirement {
  const negated = tokens.peek().text === "!";
  if (negated) tokens.take();
  const key = parseKey(tokens);
  if (negated) return { key, operator: "absent" };
  if (isBoundary(tokens.peek())) return { key, operator: "exists" };
  const operator = tokens.take();
  switch (operator.text) {
    case "=":
    case "==":
    case "!=":
      return { key, operator: operator.text, value: parseValue(tokens) };
    case "<":
    case ">":
      return { key, operator: operator.text, value: parseInteger(tokens, operator.text) };
    case "in":
    case "notin":
      return { key, operator: operator.text, values: parseValues(tokens) };
    default:
      throw unexpected(operator, "one of = == != < > in notin");
  }
}

function parseKey(tokens: Tokens): string {
  const token = tokens.take();
  if (token.kind !== "word") throw unexpected(token, "a key");
  const problem = labelKeyProblem(token.text);
  if (problem !== undefined) throw new SelectorError(`invalid label key '${token.text}': ${problem}`, token.position);
  return token.text;
}

function parseValue(tokens: Tokens): string {
  if (isBoundary(tokens.peek())) return "";
  const token = tokens.take();
  if (token.kind !== "word") throw unexpected(token, "a value");
  return checkedValue(token);
}

function parseInteger(tokens: Tokens, operator: string): string {
  const { position } = tokens.peek();
  const value = parseValue(tokens);
  if (labelInteger(value) !== undefined) return value;
  throw new SelectorError(`'${operator}' needs an integer of 64 bits, found '${value}'`, position);
}

/** Parses a list in parentheses. A missing value before, between or after commas is the empty value. */
function parseValues(tokens: Tokens): readonly string[] {
  const open = tokens.take();
  if (open.text !== "(") throw unexpected(open, "'('");
  const values: string[] = [];
  for (;;) {
    const token = tokens.peek();
    values.push(token.kind === "word" ? checkedValue(token) : "");
    if (token.kind === "word") tokens.take();
    const next = tokens.take();
    if (next.text === ")") return values;
    if (next.text !== ",") throw unexpected(next, "',' or ')'");
  }
}

function checkedValue(token: LabelToken): string {
  const problem = labelValueProblem(token.text);
  if (problem === undefined) return token.text;
  throw new SelectorError(`invalid label value '${token.text}': ${problem}`, token.position);
}

function isBoundary(token: LabelToken): boolean {
  return token.kind === "end" || token.text === ",";
}

function unexpected(token: LabelToken, expected: string): SelectorError {
  const found = token.kind === "end" ? "the end" : `'${token.text}'`;
  return new SelectorError(`expected ${expected}, found ${found}`, token.position);
}
