/** A token of a label selector: a word (a key, a value, `in`), a symbol, or the end. */
export type LabelToken =
  | { readonly kind: "word"; readonly text: string; readonly position: number }
  | { readonly kind: "symbol"; readonly text: LabelSymbol; readonly position: number }
  | { readonly kind: "end"; readonly text: ""; readonly position: number };

/** The symbols of the label selector grammar. */
export type LabelSymbol = "(" | ")" | "," | "=" | "==" | "!=" | "!" | "<" | ">";

const SYMBOLS: readonly LabelSymbol[] = ["==", "!=", "(", ")", ",", "=", "!", "<", ">"]; // the longest first

const BLANK = /[ \t\r\n]*/y;
const WORD = /[^ \t\r\n=!(),<>]+/y;

/** Tokenizes a label selector. The last token is the end. Accepts any text. */
export function tokenizeLabelSelector(text: string): readonly LabelToken[] {
  const tokens: LabelToken[] = [];
  let position = skip(BLANK, text, 0);
  while (position < text.length) {
    const symbol = SYMBOLS.find((candidate) => text.startsWith(candidate, position));
    const end = symbol === undefined ? skip(WORD, text, position) : position + symbol.length;
    tokens.push(
      symbol === undefined
        ? { kind: "word", text: text.slice(position, end), position }
        : { kind: "symbol", text: symbol, position },
    );
    position = skip(BLANK, text, end);
  }
  tokens.push({ kind: "end", text: "", position: text.length });
  return tokens;
}

function skip(sticky: RegExp, text: string, position: number): number {
  sticky.lastIndex = position;
  return sticky.test(text) ? sticky.lastIndex : position;
}
