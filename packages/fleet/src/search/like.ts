/** An element of a pattern: a literal character, any character, or any number of characters. */
type LikePart =
  | { readonly kind: "one"; readonly character: string }
  | { readonly kind: "any" }
  | { readonly kind: "many" };

/** Parses an SQL LIKE pattern: `%` is many, `_` is any, and a backslash escapes both. */
function partsOf(pattern: string): readonly LikePart[] {
  const parts: LikePart[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (isEscaped) parts.push({ kind: "one", character });
    else if (character === "%") parts.push({ kind: "many" });
    else if (character === "_") parts.push({ kind: "any" });
    else if (character !== "\\") parts.push({ kind: "one", character });
    isEscaped = !isEscaped && character === "\\";
  }
  return parts;
}

/**
 * Returns whether a text matches a pattern. Only ASCII letters are case-insensitive, as in SQLite. Worst-case time is
 * the product of the lengths: after a mismatch only the last `%` is tried again.
 */
export function isLike(text: string, pattern: string, ignoresCase: boolean): boolean {
  const parts = partsOf(ignoresCase ? lower(pattern) : pattern);
  const characters = Array.from(ignoresCase ? lower(text) : text);
  let part = 0;
  let retry: { readonly part: number; readonly from: number } | undefined;
  for (let at = 0; at < characters.length;) {
    const expected = parts[part];
    if (expected?.kind === "many") {
      part += 1;
      retry = { part, from: at };
    } else if (expected !== undefined && (expected.kind === "any" || expected.character === characters[at])) {
      part += 1;
      at += 1;
    } else if (retry === undefined) {
      return false;
    } else {
      at = retry.from + 1;
      part = retry.part;
      retry = { part, from: at };
    }
  }
  return parts.slice(part).every(({ kind }) => kind === "many");
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (deadLetter) => deadLetter.toLowerCase());
}

/** Converts a pattern to SQLite's GLOB, which is case-sensitive, unlike its LIKE. */
export function globOf(pattern: string): string {
  return partsOf(pattern)
    .map((part) => {
      if (part.kind === "many") return "*";
      if (part.kind === "any") return "?";
      return "*?[".includes(part.character) ? `[${part.character}]` : part.character;
    })
    .join("");
}
