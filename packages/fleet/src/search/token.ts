/** A word, value or sign of a search, and where it stands: offsets from 0. */
export interface Token {
  readonly kind: "word" | "text" | "number" | "date" | "sign" | "end";
  /** A text without its quotes. */
  readonly text: string;
  readonly at: number;
}

/** Stops the parser. The message is for whoever wrote the search. */
export class SearchFault extends Error {
  override readonly name: string = "SearchFault";
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

/** The tokens of a search, with one for its end. Throws a SearchFault. */
export function tokensOf(search: string): readonly Token[] {
  const tokens: Token[] = [];
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

function tokenAt(search: string, at: number): { readonly token: Token; readonly end: number } {
  const first = search.charAt(at);
  if (QUOTES.includes(first)) return quoted(search, at, first);
  for (const { kind, pattern } of PATTERNS) {
    const text = match(pattern, search, at);
    if (text !== undefined) return { token: { kind, text, at }, end: at + text.length };
  }
  throw new SearchFault(`unexpected ${JSON.stringify(first)}`, at);
}

function match(pattern: RegExp, search: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(search)?.[0];
}

/** A quote inside of a text is written twice. */
function quoted(search: string, at: number, quote: string): { readonly token: Token; readonly end: number } {
  let text = "";
  let from = at + 1;
  for (;;) {
    const end = search.indexOf(quote, from);
    if (end === -1) throw new SearchFault(`the text that begins with ${quote} does not end`, at);
    text += search.slice(from, end);
    if (search.charAt(end + 1) !== quote)
      return { token: { kind: "text", text: storable(text, at), at }, end: end + 1 };
    text += quote;
    from = end + 2;
  }
}

/** No database holds these, so nothing can be equal to them, and some refuse to look. */
function storable(text: string, at: number): string {
  if (text.includes("\0") || !text.isWellFormed()) throw new SearchFault("the text is no valid Unicode text", at);
  return text;
}
