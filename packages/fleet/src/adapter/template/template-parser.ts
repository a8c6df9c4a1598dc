import { TemplateError } from "./template-error.ts";
import { splitTemplate } from "./lexer.ts";
import type { Branch, TemplateCommand, TemplateOperand, Pipeline, TemplateNode } from "./template-node.ts";
import type { TemplateSegment, TemplateToken, TokenKind } from "./template-token.ts";
import { unquote } from "./unquote.ts";

/** How a list of nodes ended. */
type Ending = "end" | "else" | "eof";

const UNSUPPORTED = ["define", "template", "block"];

/** Parses a template. `functions` are the callable names. Throws a TemplateError. */
export function parseTemplate(template: string, functions: ReadonlySet<string>): readonly TemplateNode[] {
  const parser = new Parser(splitTemplate(template), functions);
  const { nodes, ending, line } = parser.nodes();
  if (ending !== "eof") throw new TemplateError(`unexpected {{${ending}}}`, line);
  return nodes;
}

interface Nodes {
  readonly nodes: readonly TemplateNode[];
  readonly ending: Ending;
  readonly line: number;
  /** Remaining tokens after `else`: `if …` or `with …`. */
  readonly rest: readonly TemplateToken[];
}

class Parser {
  readonly #pieces: readonly TemplateSegment[];
  readonly #functions: ReadonlySet<string>;
  readonly #scope: string[] = ["$"];
  #at = 0;
  #loops = 0;

  constructor(found: readonly TemplateSegment[], functions: ReadonlySet<string>) {
    this.#pieces = found;
    this.#functions = functions;
  }

  nodes(): Nodes {
    const nodes: TemplateNode[] = [];
    for (;;) {
      const piece = this.#pieces[this.#at];
      if (piece === undefined) return { nodes, ending: "eof", line: 1, rest: [] };
      this.#at += 1;
      if (piece.kind === "text") {
        nodes.push(piece);
        continue;
      }
      const { tokens, line } = piece;
      const word = tokens[0]?.kind === "name" ? tokens[0].text : "";
      if (word === "end" || word === "else") return { nodes, ending: word, line, rest: tokens.slice(1) };
      nodes.push(this.#action(word, tokens, line));
    }
  }

  #action(word: string, tokens: readonly TemplateToken[], line: number): TemplateNode {
    if (UNSUPPORTED.includes(word)) throw new TemplateError(`{{${word}}} is not supported`, line);
    switch (word) {
      case "if":
      case "with":
      case "range":
        return this.#branch(word, tokens.slice(1), line);
      case "break":
      case "continue":
        if (this.#loops === 0) throw new TemplateError(`{{${word}}} outside of {{range}}`, line);
        return { kind: word };
      default:
        return { kind: "print", pipeline: this.#pipeline(tokens, line, 1) };
    }
  }

  /** Parses `if`, `with` or `range` up to its `end`. `else if` is a nested branch that shares the `end`. */
  #branch(kind: "if" | "with" | "range", tokens: readonly TemplateToken[], line: number): TemplateNode {
    const outer = this.#scope.length;
    const pipeline = this.#pipeline(tokens, line, kind === "range" ? 2 : 1);
    if (kind === "range") this.#loops += 1;
    const body = this.nodes();
    if (kind === "range") this.#loops -= 1;
    if (body.ending === "eof") throw new TemplateError(`{{${kind}}} has no {{end}}`, line);
    this.#scope.length = outer;
    const branch: Branch = { pipeline, body: body.nodes, otherwise: this.#otherwise(body, kind, line) };
    return { kind, branch };
  }

  #otherwise({ ending, rest, line }: Nodes, kind: string, begun: number): readonly TemplateNode[] {
    if (ending === "end") return [];
    const [next] = rest;
    if (next !== undefined) {
      if (next.kind === "name" && (next.text === "if" || next.text === "with") && kind !== "range") {
        return [this.#branch(next.text, rest.slice(1), line)];
      }
      throw new TemplateError(`unexpected ${next.text} after else`, line);
    }
    const outer = this.#scope.length;
    const other = this.nodes();
    this.#scope.length = outer;
    if (other.ending !== "end") throw new TemplateError(`{{${kind}}} has no {{end}}`, begun);
    return other.nodes;
  }

  #pipeline(tokens: readonly TemplateToken[], line: number, variablesMax: number): Pipeline {
    const reader = new PipelineReader(tokens, line, this.#functions, this.#scope);
    const pipeline = reader.pipeline("end", variablesMax);
    if (!pipeline.isAssignment) this.#scope.push(...pipeline.variables);
    return pipeline;
  }
}

/** Parses the tokens of one action. */
class PipelineReader {
  readonly #tokens: readonly TemplateToken[];
  readonly #line: number;
  readonly #functions: ReadonlySet<string>;
  readonly #scope: readonly string[];
  #at = 0;

  constructor(
    tokens: readonly TemplateToken[],
    line: number,
    functions: ReadonlySet<string>,
    scope: readonly string[],
  ) {
    this.#tokens = tokens;
    this.#line = line;
    this.#functions = functions;
    this.#scope = scope;
  }

  pipeline(ending: TokenKind, variablesMax: number): Pipeline {
    const { line } = this.#peek();
    const { variables, isAssignment } = this.#declarations(variablesMax);
    const commands: TemplateCommand[] = [];
    for (;;) {
      commands.push(this.#command(commands.length > 0));
      const next = this.#peek();
      if (next.kind !== "pipe") break;
      this.#at += 1;
    }
    const last = this.#take();
    if (last.kind !== ending) throw this.#unexpected(last);
    return { line, variables, isAssignment, commands };
  }

  /** `$x :=`, `$x =`, or `$i, $x :=`. */
  #declarations(max: number): { readonly variables: readonly string[]; readonly isAssignment: boolean } {
    const none = { variables: [], isAssignment: false };
    const [first, second, third, fourth] = this.#tokens.slice(this.#at, this.#at + 4);
    if (first?.kind !== "variable") return none;
    if (second?.kind === "declare" || second?.kind === "assign") {
      const isAssignment = second.kind === "assign";
      if (isAssignment) this.#known(first);
      this.#at += 2;
      return { variables: [first.text], isAssignment };
    }
    if (second?.kind !== "comma") return none;
    const isPair = third?.kind === "variable" && (fourth?.kind === "declare" || fourth?.kind === "assign");
    if (max < 2 || !isPair) throw this.#unexpected(second);
    this.#at += 4;
    return { variables: [first.text, third.text], isAssignment: fourth.kind === "assign" };
  }

  #command(isLater: boolean): TemplateCommand {
    const operands: TemplateOperand[] = [];
    for (;;) {
      const next = this.#peek();
      const isEnd = next.kind === "end" || next.kind === "pipe" || next.kind === "close";
      if (isEnd) break;
      if (operands.length > 0 && !next.isSpaced && next.kind !== "open") throw this.#unexpected(next);
      operands.push(this.#operand());
    }
    const [first] = operands;
    if (first === undefined) throw new TemplateError("a command is missing", this.#line);
    if (first.kind === "literal" && first.value === null) throw new TemplateError("nil is not a command", this.#line);
    if (
      (isLater || operands.length > 1) &&
      (first.kind === "literal" || (first.kind === "dot" && first.path.length === 0))
    ) {
      throw new TemplateError("only a function takes arguments", this.#line);
    }
    return { operands };
  }

  #operand(): TemplateOperand {
    const token = this.#take();
    switch (token.kind) {
      case "dot":
        return { kind: "dot", path: [] };
      case "field":
        return { kind: "dot", path: [token.text.slice(1), ...this.#path()] };
      case "variable":
        this.#known(token);
        return { kind: "variable", name: token.text, path: this.#path() };
      case "open":
        return { kind: "group", pipeline: this.pipeline("close", 1), path: this.#path() };
      case "name":
        return this.#named(token);
      case "string":
        return { kind: "literal", value: token.text };
      case "char":
        return { kind: "literal", value: BigInt(unquote(token.text, token.line).codePointAt(0) ?? 0) };
      case "number":
        return { kind: "literal", value: numberOf(token) };
      default:
        throw this.#unexpected(token);
    }
  }

  #named(token: TemplateToken): TemplateOperand {
    if (token.text === "true" || token.text === "false") return { kind: "literal", value: token.text === "true" };
    if (token.text === "nil") return { kind: "literal", value: null };
    if (!this.#functions.has(token.text)) {
      throw new TemplateError(`function ${JSON.stringify(token.text)} is not defined`, token.line);
    }
    return { kind: "function", name: token.text, path: this.#path() };
  }

  /** Fields that follow without a space. */
  #path(): readonly string[] {
    const path: string[] = [];
    for (let next = this.#peek(); next.kind === "field" && !next.isSpaced; next = this.#peek()) {
      path.push(next.text.slice(1));
      this.#at += 1;
    }
    return path;
  }

  #known({ text, line }: TemplateToken): void {
    if (!this.#scope.includes(text)) throw new TemplateError(`variable ${text} is not defined`, line);
  }

  #peek(): TemplateToken {
    return this.#tokens[this.#at] ?? { kind: "end", text: "", line: this.#line, isSpaced: true };
  }

  #take(): TemplateToken {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }

  #unexpected({ kind, text, line }: TemplateToken): TemplateError {
    return new TemplateError(kind === "end" ? "unexpected end of action" : `unexpected ${JSON.stringify(text)}`, line);
  }
}

/** A number with a point or an exponent is a float, any other an integer. */
function numberOf({ text, line }: TemplateToken): number | bigint {
  const plain = text.replaceAll("_", "");
  if (!/^[+-]?0[xXbBoO]/u.test(plain) && /[.eE]/u.test(plain)) return Number(plain);
  const digits = plain.replace(/^[+-]/u, "");
  const octal = /^0[0-7]+$/u.test(digits) ? `0o${digits.slice(1)}` : digits;
  const value = plain.startsWith("-") ? -BigInt(octal) : BigInt(octal);
  if (BigInt.asIntN(64, value) !== value) throw new TemplateError(`${text} overflows a 64-bit integer`, line);
  return value;
}
