import type { CelValue } from "../value/index.ts";
import type { Expr, ListItem, MapEntry, StructField } from "./expression.ts";
import { qualifiedName, findTooDeepExpr } from "./expression.ts";
import { tokenize } from "./lexer.ts";
import { macroKey } from "./macro.ts";
import type { MacroTable } from "./macro.ts";
import { readNumber } from "./number-literal.ts";
import { CelSyntaxError } from "./syntax-error.ts";
import { RESERVED_WORDS } from "./token.ts";
import type { CelToken } from "./token.ts";

/** Limits on text length and tree depth. */
export interface SyntaxLimits {
  readonly lengthMax: number;
  readonly depthMax: number;
}

/** Parses an expression and expands its macros. Throws a `CelSyntaxError` for the first error. */
export function parse(text: string, macros: MacroTable, limits: SyntaxLimits): Expr {
  if (text.length > limits.lengthMax) {
    throw new CelSyntaxError(`an expression has at most ${limits.lengthMax} characters`, limits.lengthMax);
  }
  const tokens = tokenize(text);
  const expr = new Parser(tokens, macros, limits.depthMax).whole();
  // Several chains may add up to more than each of them; the depth is at most the number of tokens.
  const deep = tokens.length > limits.depthMax ? findTooDeepExpr(expr, limits.depthMax) : undefined;
  if (deep !== undefined) throw new CelSyntaxError(depthMessage(limits.depthMax), deep.at);
  return expr;
}

function depthMessage(depthMax: number): string {
  return `an expression is at most ${depthMax} levels deep`;
}

/** Operator precedence. */
const BINARY: ReadonlyMap<string, number> = new Map([
  ...["<", "<=", ">=", ">", "==", "!=", "in"].map((sign): [string, number] => [sign, 0]),
  ...["+", "-"].map((sign): [string, number] => [sign, 1]),
  ...["*", "/", "%"].map((sign): [string, number] => [sign, 2]),
]);

const LITERALS: ReadonlyMap<string, CelValue> = new Map<string, CelValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

const END: CelToken = { kind: "end", at: 0, text: "" };

class Parser {
  readonly #tokens: readonly CelToken[];
  readonly #macros: MacroTable;
  readonly #depthMax: number;
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly CelToken[], macros: MacroTable, depthMax: number) {
    this.#tokens = tokens;
    this.#macros = macros;
    this.#depthMax = depthMax;
  }

  whole(): Expr {
    const expr = this.#expression();
    if (this.#token.kind !== "end") throw this.#unexpected("an operator or the end");
    return expr;
  }

  get #token(): CelToken {
    return this.#tokens[this.#index] ?? END;
  }

  #sees(text: string): boolean {
    const { kind, text: found } = this.#token;
    return found === text && (kind === "sign" || kind === "name");
  }

  #eat(text: string): boolean {
    if (!this.#sees(text)) return false;
    this.#index += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#eat(text)) throw this.#unexpected(`'${text}'`);
  }

  #unexpected(expected: string): CelSyntaxError {
    const { kind, text, at } = this.#token;
    const found = kind === "end" ? "the end of the expression" : `'${text.slice(0, 40)}'`;
    return new CelSyntaxError(`Syntax error: unexpected ${found}, expecting ${expected}`, at);
  }

  #checkDepth(depth: number): void {
    if (depth > this.#depthMax) {
      throw new CelSyntaxError(depthMessage(this.#depthMax), this.#token.at);
    }
  }

  #expression(): Expr {
    this.#depth += 1;
    this.#checkDepth(this.#depth);
    const condition = this.#or();
    const { at } = this.#token;
    let expr = condition;
    if (this.#eat("?")) {
      const then = this.#or();
      this.#expect(":");
      expr = call("_?_:_", at, [condition, then, this.#expression()]);
    }
    this.#depth -= 1;
    return expr;
  }

  /** `a || b || c` as one call. */
  #or(): Expr {
    const first = this.#and();
    const { at } = this.#token;
    if (!this.#sees("||")) return first;
    const args = [first];
    while (this.#eat("||")) args.push(this.#and());
    return call("_||_", at, args);
  }

  #and(): Expr {
    const first = this.#binary(0);
    const { at } = this.#token;
    if (!this.#sees("&&")) return first;
    const args = [first];
    while (this.#eat("&&")) args.push(this.#binary(0));
    return call("_&&_", at, args);
  }

  /** Parses operators with at least precedence `level`. */
  #binary(level: number): Expr {
    let left = this.#unary();
    for (let depth = this.#depth; ; depth += 1) {
      const { at, text, kind } = this.#token;
      const tightness = kind === "sign" || kind === "name" ? BINARY.get(text) : undefined;
      if (tightness === undefined || tightness < level) return left;
      this.#checkDepth(depth);
      this.#index += 1;
      left = call(text === "in" ? "@in" : `_${text}_`, at, [left, this.#binary(tightness + 1)]);
    }
  }

  #unary(): Expr {
    const { at } = this.#token;
    const sign = this.#sees("!") ? "!" : "-";
    let count = 0;
    while (this.#eat(sign)) count += 1;
    const next = this.#token;
    if (sign === "-" && count === 1 && next.kind === "number") {
      this.#index += 1;
      return this.#postfix({ kind: "literal", at, value: readNumber(next.text, true, at) });
    }
    const operand = this.#postfix(this.#primary());
    return count % 2 === 0 ? operand : call(`${sign}_`, at, [operand]);
  }

  #postfix(start: Expr): Expr {
    let expr = start;
    for (let depth = this.#depth; ; depth += 1) {
      const { at } = this.#token;
      this.#checkDepth(depth);
      if (this.#eat(".")) {
        expr = this.#member(expr, at);
      } else if (this.#eat("[")) {
        const name = this.#eat("?") ? "_[?_]" : "_[_]";
        expr = call(name, at, [expr, this.#expression()]);
        this.#expect("]");
      } else if (this.#sees("{")) {
        const type = qualifiedName(expr);
        if (type === undefined) return expr;
        expr = this.#struct(type);
      } else {
        return expr;
      }
    }
  }

  /** Parses the part after a dot. */
  #member(operand: Expr, at: number): Expr {
    if (this.#eat("?")) return { kind: "select", at, operand, field: this.#fieldName(), mode: "optional" };
    const isQuoted = this.#token.kind === "quoted";
    const field = this.#fieldName();
    const opening = this.#token.at;
    if (isQuoted || !this.#eat("(")) return { kind: "select", at, operand, field, mode: "value" };
    return this.#call(field, opening, operand, this.#arguments());
  }

  #fieldName(): string {
    const token = this.#token;
    if (token.kind === "quoted") {
      this.#index += 1;
      return token.text.slice(1, -1);
    }
    if (token.kind !== "name" || LITERALS.has(token.text) || token.text === "in") throw this.#unexpected("a name");
    this.#index += 1;
    return token.text;
  }

  #arguments(): readonly Expr[] {
    const args: Expr[] = [];
    if (this.#eat(")")) return args;
    do args.push(this.#expression());
    while (this.#eat(","));
    this.#expect(")");
    return args;
  }

  #call(name: string, at: number, target: Expr | undefined, args: readonly Expr[]): Expr {
    const macro = this.#macros.get(macroKey(name, args.length, target !== undefined));
    const expanded = macro?.({ at, target, args });
    return expanded ?? { kind: "call", at, name, target, args };
  }

  #primary(): Expr {
    const token = this.#token;
    const { at } = token;
    if (token.kind === "literal") {
      this.#index += 1;
      return { kind: "literal", at, value: token.value };
    }
    if (token.kind === "number") {
      this.#index += 1;
      return { kind: "literal", at, value: readNumber(token.text, false, at) };
    }
    if (this.#eat("(")) {
      const expr = this.#expression();
      this.#expect(")");
      return expr;
    }
    if (this.#eat("[")) return { kind: "list", at, items: this.#listItems() };
    if (this.#eat("{")) return { kind: "map", at, entries: this.#mapEntries() };
    return this.#name(this.#eat("."), at);
  }

  #name(isRooted: boolean, at: number): Expr {
    const token = this.#token;
    const literal = LITERALS.get(token.text);
    if (!isRooted && token.kind === "name" && literal !== undefined) {
      this.#index += 1;
      return { kind: "literal", at, value: literal };
    }
    if (token.kind !== "name" || token.text === "in" || LITERALS.has(token.text)) {
      throw this.#unexpected("an expression");
    }
    if (RESERVED_WORDS.has(token.text)) throw new CelSyntaxError(`reserved identifier: ${token.text}`, token.at);
    this.#index += 1;
    const name = isRooted ? `.${token.text}` : token.text;
    const opening = this.#token.at;
    if (this.#eat("(")) return this.#call(name, opening, undefined, this.#arguments());
    return { kind: "ident", at, name };
  }

  #listItems(): readonly ListItem[] {
    const items: ListItem[] = [];
    while (!this.#eat("]")) {
      const optional = this.#eat("?");
      items.push({ value: this.#expression(), optional });
      if (!this.#sees("]")) this.#expect(",");
    }
    return items;
  }

  #mapEntries(): readonly MapEntry[] {
    const entries: MapEntry[] = [];
    while (!this.#eat("}")) {
      const optional = this.#eat("?");
      const key = this.#expression();
      const { at } = this.#token;
      this.#expect(":");
      entries.push({ at, key, value: this.#expression(), optional });
      if (!this.#sees("}")) this.#expect(",");
    }
    return entries;
  }

  #struct(type: string): Expr {
    const { at } = this.#token;
    this.#expect("{");
    const fields: StructField[] = [];
    while (!this.#eat("}")) {
      const optional = this.#eat("?");
      const name = this.#fieldName();
      const colon = this.#token.at;
      this.#expect(":");
      fields.push({ at: colon, name, value: this.#expression(), optional });
      if (!this.#sees("}")) this.#expect(",");
    }
    return { kind: "struct", at, type, fields };
  }
}

function call(name: string, at: number, args: readonly Expr[]): Expr {
  return { kind: "call", at, name, target: undefined, args };
}
