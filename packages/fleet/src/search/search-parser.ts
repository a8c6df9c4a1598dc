import { fieldName, parseSearchField, notProblem, operatorProblem } from "./search-field.ts";
import { literalFor } from "./literal.ts";
import { SearchSyntaxError, tokenizeSearch } from "./search-token.ts";
import type { SearchToken } from "./search-token.ts";
import { SEARCH_COMPARISONS, SEARCH_KEYWORDS } from "./search-tree.ts";
import type { SearchComparison, SearchField, SearchKeyword, SearchLiteral, SearchNode } from "./search-tree.ts";

/** Maximum length of a search. */
export const SEARCH_MAX = 4_096;
/** Maximum length of a pattern: the cost of a match grows with its length times that of the text. */
const PATTERN_MAX = 255;
/** Maximum nesting of parentheses and `not`. */
const SEARCH_DEPTH_MAX = 100;

/** A parsed search: a tree; undefined, which matches everything; or the error with its position (from 1). */
export type ParsedSearch =
  | { readonly kind: "search"; readonly node: SearchNode | undefined }
  | { readonly kind: "problem"; readonly message: string; readonly position: number };

/**
 * Parses a search: a subset of the Tree Search Language. Names and operators are validated, so that the tree can
 * always be evaluated.
 */
export function parseSearch(search: string): ParsedSearch {
  const { length } = Array.from(search);
  if (length > SEARCH_MAX) {
    const message = `search must be at most ${SEARCH_MAX} characters, not ${length}`;
    return { kind: "problem", message, position: SEARCH_MAX + 1 };
  }
  if (search.trim() === "") return { kind: "search", node: undefined };
  try {
    return { kind: "search", node: new Parser(tokenizeSearch(search)).parse() };
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    const position = Array.from(search.slice(0, error.at)).length + 1;
    return { kind: "problem", message: `invalid search at position ${position}: ${error.message}`, position };
  }
}

const KEYWORDS: readonly string[] = SEARCH_KEYWORDS;

class Parser {
  readonly #tokens: readonly SearchToken[];
  #next = 0;
  #depth = 0;
  #nots = 0;

  constructor(tokens: readonly SearchToken[]) {
    this.#tokens = tokens;
  }

  parse(): SearchNode {
    const node = this.#or();
    const rest = this.#peek();
    if (rest.kind !== "end")
      throw new SearchSyntaxError(`expected and, or, or the end, not ${describeToken(rest)}`, rest.at);
    return node;
  }

  #or(): SearchNode {
    return this.#chain("or", () => this.#chain("and", () => this.#factor()));
  }

  #chain(word: "and" | "or", part: () => SearchNode): SearchNode {
    const first = part();
    const of = [first];
    while (this.#takeWord(word)) of.push(part());
    return of.length === 1 ? first : { kind: word, of };
  }

  #factor(): SearchNode {
    const { at } = this.#peek();
    if (this.#takeWord("not")) {
      this.#nots += 1;
      const of = this.#deeper(at, () => this.#factor());
      this.#nots -= 1;
      return { kind: "not", of };
    }
    if (!this.#takeSign("(")) return this.#predicate();
    const node = this.#deeper(at, () => this.#or());
    this.#expectSign(")");
    return node;
  }

  #deeper(at: number, part: () => SearchNode): SearchNode {
    this.#depth += 1;
    if (this.#depth > SEARCH_DEPTH_MAX)
      throw new SearchSyntaxError(`nested deeper than ${SEARCH_DEPTH_MAX} levels`, at);
    const node = part();
    this.#depth -= 1;
    return node;
  }

  #predicate(): SearchNode {
    const field = this.#field();
    const { at } = this.#peek();
    if (this.#takeWord("is")) {
      const isNegated = this.#takeWord("not");
      this.#expectWord("null");
      return this.#null(field, isNegated, at);
    }
    const isNegated = this.#takeWord("not");
    if (this.#takeWord("in")) return this.#in(field, isNegated, at);
    if (this.#takeWord("between")) return this.#between(field, isNegated, at);
    if (this.#takeWord("like")) return this.#like(field, isNegated, false, at);
    if (this.#takeWord("ilike")) return this.#like(field, isNegated, true, at);
    const sign = this.#take();
    const operator = comparisonOf(sign);
    if (operator === undefined || isNegated) {
      throw new SearchSyntaxError(
        `expected an operator after ${fieldName(field)}, not ${describeToken(sign)}`,
        sign.at,
      );
    }
    return this.#compare(field, operator, sign.at);
  }

  #field(): SearchField {
    const token = this.#take();
    if (token.kind !== "word" || KEYWORDS.includes(token.text.toLowerCase())) {
      throw new SearchSyntaxError(`expected a field name, not ${describeToken(token)}`, token.at);
    }
    const field = parseSearchField(token.text);
    if (typeof field === "string") throw new SearchSyntaxError(field, token.at);
    const problem = this.#nots > 0 ? notProblem(field) : undefined;
    if (problem !== undefined) throw new SearchSyntaxError(problem, token.at);
    return field;
  }

  #compare(field: SearchField, operator: SearchComparison, at: number): SearchNode {
    if ((operator === "=" || operator === "!=") && this.#takeWord("null")) {
      return this.#null(field, operator === "!=", at);
    }
    demand(operatorProblem(field, operator), at);
    const token = this.#take();
    const value = literalFor(field, token);
    if (value.kind === "bool" && operator !== "=" && operator !== "!=") {
      throw new SearchSyntaxError(`true and false can only be compared with = and !=`, at);
    }
    return { kind: "compare", field, operator, value };
  }

  #null(field: SearchField, isNegated: boolean, at: number): SearchNode {
    demand(operatorProblem(field, "null"), at);
    return { kind: "null", field, isNegated };
  }

  #in(field: SearchField, isNegated: boolean, at: number): SearchNode {
    demand(operatorProblem(field, "in"), at);
    const close = this.#takeSign("(") ? ")" : "]";
    if (close === "]") this.#expectSign("[");
    const values: SearchLiteral[] = [];
    do {
      const token = this.#take();
      const value = literalFor(field, token);
      demand(
        values.some(({ kind }) => kind !== value.kind) ? "list values must have the same type" : undefined,
        token.at,
      );
      values.push(value);
    } while (this.#takeSign(","));
    this.#expectSign(close);
    return { kind: "in", field, isNegated, values };
  }

  #between(field: SearchField, isNegated: boolean, at: number): SearchNode {
    demand(operatorProblem(field, "between"), at);
    const low = literalFor(field, this.#take());
    this.#expectWord("and");
    const token = this.#take();
    const high = literalFor(field, token);
    demand(
      low.kind === high.kind && low.kind !== "bool" ? undefined : "between needs two ordered values of the same type",
      token.at,
    );
    return { kind: "between", field, isNegated, low, high };
  }

  #like(field: SearchField, isNegated: boolean, ignoresCase: boolean, at: number): SearchNode {
    demand(operatorProblem(field, "like"), at);
    const token = this.#take();
    if (token.kind !== "text") throw new SearchSyntaxError("like expects a quoted string", token.at);
    demand(token.text.length > PATTERN_MAX ? `a pattern has at most ${PATTERN_MAX} characters` : undefined, token.at);
    const tail = /\\*$/.exec(token.text)?.[0].length ?? 0;
    demand(tail % 2 === 0 ? undefined : "the pattern ends with \\, which escapes no character", token.at);
    return { kind: "like", field, isNegated, ignoresCase, pattern: token.text };
  }

  #peek(): SearchToken {
    return this.#tokens[this.#next] ?? END;
  }

  #take(): SearchToken {
    const token = this.#peek();
    if (token.kind !== "end") this.#next += 1;
    return token;
  }

  #takeWord(word: SearchKeyword): boolean {
    const token = this.#peek();
    if (token.kind !== "word" || token.text.toLowerCase() !== word) return false;
    this.#next += 1;
    return true;
  }

  #takeSign(sign: string): boolean {
    const token = this.#peek();
    if (token.kind !== "sign" || token.text !== sign) return false;
    this.#next += 1;
    return true;
  }

  #expectWord(word: SearchKeyword): void {
    const token = this.#peek();
    if (!this.#takeWord(word)) throw new SearchSyntaxError(`expected ${word}, not ${describeToken(token)}`, token.at);
  }

  #expectSign(sign: string): void {
    const token = this.#peek();
    if (!this.#takeSign(sign)) throw new SearchSyntaxError(`expected ${sign}, not ${describeToken(token)}`, token.at);
  }
}

const END: SearchToken = { kind: "end", text: "", at: 0 };

function demand(problem: string | undefined, at: number): void {
  if (problem !== undefined) throw new SearchSyntaxError(problem, at);
}

/** Returns the comparison that a sign stands for; undefined for other tokens. */
function comparisonOf({ kind, text }: SearchToken): SearchComparison | undefined {
  const sign = text === "<>" ? "!=" : text;
  return kind === "sign" ? SEARCH_COMPARISONS.find((comparison) => comparison === sign) : undefined;
}

function describeToken({ kind, text }: SearchToken): string {
  if (kind === "end") return "the end";
  return kind === "text" ? `the text ${JSON.stringify(text)}` : text;
}
