/** A token of a search with its position: offsets from 0. */
export interface SearchToken {
  readonly kind: "word" | "text" | "number" | "date" | "sign" | "end";
  /** For strings, without quotes. */
  readonly text: string;
  readonly at: number;
}

/** Thrown by the parser. The message is for the author of the search. */
export class SearchSyntaxError extends Error {
  override readonly name: string = "SearchSyntaxError";
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const SPACE = /\s*/y;
const WORD = /[A-Za-z_][A-Za-z0-9_./-]*/y;
const DATE = /\d{4}-\d{2}-\d{2}(?:T[0-9:.]+(?:Z|[+-]\d{2}:\d{2}))?(?![\w-])/y;
const NUMBER = /[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?:[KMGTP]i|[kKMGTP])?(?![\w.])/y;
const SIGN = /<=|>=|!=|<>|~=|~!|[=<>()[\],+*/%-]/y;
const QUOTES = "'\"`";

/** Tokenizes a search, with an end token. Throws a SearchSyntaxError. */
export function tokenizeSearch(search: string): readonly SearchToken[] {
  const tokens: SearchToken[] = [];
  let at = skip(search, 0);
  while (at < search.length) {
    const { token, end } = tokenAt(search, at);
    tokens.push(token);
    at = skip(search, end);
  }
  return [...tokens, { kind: "end", text: "", at: search.length }];
}

function skip(search: string, at: number): number {
  return at + (match(SPACE, search, at)?.length ?? 0);
}

const PATTERNS = [
  { kind: "word", pattern: WORD },
  { kind: "date", pattern: DATE },
  { kind: "number", pattern: NUMBER },
  { kind: "sign", pattern: SIGN },
] as const;

function tokenAt(search: string, at: number): { readonly token: SearchToken; readonly end: number } {
  const first = search.charAt(at);
  if (QUOTES.includes(first)) return quoted(search, at, first);
  for (const { kind, pattern } of PATTERNS) {
    const text = match(pattern, search, at);
    if (text !== undefined) return { token: { kind, text, at }, end: at + text.length };
  }
  throw new SearchSyntaxError(`unexpected ${JSON.stringify(first)}`, at);
}

function match(pattern: RegExp, search: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(search)?.[0];
}

/** A quote inside of a string is doubled. */
function quoted(search: string, at: number, quote: string): { readonly token: SearchToken; readonly end: number } {
  let text = "";
  let from = at + 1;
  for (;;) {
    const end = search.indexOf(quote, from);
    if (end === -1) throw new SearchSyntaxError(`unterminated string: ${quote} is missing`, at);
    text += search.slice(from, end);
    if (search.charAt(end + 1) !== quote)
      return { token: { kind: "text", text: storable(text, at), at }, end: end + 1 };
    text += quote;
    from = end + 2;
  }
}

/** Databases cannot store these characters, and some reject them in a query. */
function storable(text: string, at: number): string {
  if (text.includes("\0") || !text.isWellFormed()) throw new SearchSyntaxError("the string is not valid Unicode", at);
  return text;
}
