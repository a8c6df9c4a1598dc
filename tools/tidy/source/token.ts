import { perFile } from "../tree.ts";
import type { SourceTree } from "../tree.ts";

/** A token of a program. Comments and whitespace are not tokens. */
export interface Token {
  /** A template literal is one `template` token per text part, with the tokens of its expressions in between. */
  readonly kind: "word" | "number" | "string" | "template" | "regex" | "punct";
  /** As written; strings with their quotes. */
  readonly text: string;
  /** Its first line, counted from 1. */
  readonly line: number;
  /** Its last line. */
  readonly endLine: number;
  /** Whether a non-empty doc comment precedes it. */
  readonly documented: boolean;
}

const BLANK = /\s+/y;
const LINE_COMMENT = /(?:\/\/|^#!)[^\n]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/y;
// An unclosed quote ends with its line: an apostrophe in JSX text must not swallow the rest of the file.
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/y;
const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy;
const NUMBER = /\.?\d(?:[eE][+-]|[\w.])*/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const PUNCT = /=>|\?\.|\.\.\.|\+\+|--|[^]/uy;
const TEMPLATE_PIECE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;
const DOC_COMMENT = /^\/\*\*(?=[\s\S]*\p{L}[\s\S]*\*\/$)/u;

const BEFORE_CONDITION = new Set(["if", "while", "for", "with"]);
const BEFORE_REGEX = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "do",
  "else",
  "void",
  "delete",
  "throw",
  "await",
]);

class Lexer {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  #documented = false;
  /** Number of open braces in each enclosing template expression. */
  readonly #templates: number[] = [];
  /** For each open parenthesis, whether it contains the condition of a statement. */
  readonly #parentheses: boolean[] = [];
  #afterCondition = false;

  constructor(text: string) {
    this.#text = text;
  }

  run(): readonly Token[] {
    while (this.#at < this.#text.length) {
      if (!this.#trivia()) this.#token();
    }
    return this.#tokens;
  }

  #trivia(): boolean {
    const comment = this.#match(BLOCK_COMMENT);
    if (comment !== undefined && DOC_COMMENT.test(comment)) this.#documented = true;
    const skipped = comment ?? this.#match(BLANK) ?? this.#match(LINE_COMMENT);
    if (skipped === undefined) return false;
    this.#skip(skipped);
    return true;
  }

  #token(): void {
    const string = this.#match(STRING);
    if (string !== undefined) return this.#push("string", string);
    const word = this.#match(WORD);
    if (word !== undefined) return this.#push("word", word);
    const number = this.#match(NUMBER);
    if (number !== undefined) return this.#push("number", number);
    const regex = this.#regexMayStart() ? this.#match(REGEX) : undefined;
    if (regex !== undefined) return this.#push("regex", regex);
    this.#punctuation(this.#match(PUNCT) ?? "");
  }

  #punctuation(text: string): void {
    const inTemplate = this.#templates.at(-1);
    if (text === "`" || (text === "}" && inTemplate === 0)) {
      if (text === "}") this.#templates.pop();
      return this.#template(text);
    }
    if (inTemplate !== undefined && text === "{") this.#templates[this.#templates.length - 1] = inTemplate + 1;
    if (inTemplate !== undefined && text === "}") this.#templates[this.#templates.length - 1] = inTemplate - 1;
    if (text === "(") this.#parentheses.push(BEFORE_CONDITION.has(this.#tokens.at(-1)?.text ?? ""));
    if (text === ")") this.#afterCondition = this.#parentheses.pop() ?? false;
    this.#push("punct", text);
  }

  #template(opening: string): void {
    const piece = opening + (this.#match(TEMPLATE_PIECE, this.#at + 1) ?? "");
    if (piece.endsWith("${")) this.#templates.push(0);
    this.#push("template", piece);
  }

  /** Whether a slash here starts a regular expression, according to the previous token. */
  #regexMayStart(): boolean {
    const last = this.#tokens.at(-1);
    if (last === undefined) return true;
    if (last.kind === "word") return BEFORE_REGEX.has(last.text);
    if (last.kind === "template") return last.text.endsWith("${");
    if (last.kind !== "punct") return false;
    if (last.text === ")") return this.#afterCondition;
    return last.text !== "]" && last.text !== "++" && last.text !== "--";
  }

  #match(sticky: RegExp, at: number = this.#at): string | undefined {
    sticky.lastIndex = at;
    return sticky.exec(this.#text)?.[0];
  }

  #push(kind: Token["kind"], text: string): void {
    const line = this.#line;
    this.#skip(text);
    this.#tokens.push({ kind, text, line, endLine: this.#line, documented: this.#documented });
    this.#documented = false;
  }

  #skip(text: string): void {
    this.#at += text.length;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#line += 1;
  }
}

/** Returns the tokens of a program. Never throws, even for invalid programs. */
export function tokenize(text: string): readonly Token[] {
  return new Lexer(text).run();
}

/** Returns the tokens of a file. */
export const tokensOf: (tree: SourceTree, path: string) => readonly Token[] = perFile((text) => tokenize(text));

/** Returns the value of a string, or of a template without expressions. Escapes are not decoded. */
export function stringValue(token: Token | undefined): string | undefined {
  if (token?.kind === "string") return token.text.slice(1, -1);
  return token?.kind === "template" && /^`[^]*`$/.test(token.text) ? token.text.slice(1, -1) : undefined;
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Returns the index of the partner of each bracket, in both directions. Unmatched brackets are omitted. */
export function matchBrackets(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== "punct") continue;
    if (text in CLOSING) open.push(index);
    if (text !== ")" && text !== "]" && text !== "}") continue;
    const start = open.pop();
    if (start === undefined) continue;
    if (CLOSING[tokens[start]?.text ?? ""] !== text) continue;
    partners.set(start, index).set(index, start);
  }
  return partners;
}
