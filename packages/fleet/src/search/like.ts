/** A part of a pattern: one character as it is, any one character, or any number of them. */
type LikePart =
  | { readonly kind: "one"; readonly character: string }
  | { readonly kind: "any" }
  | { readonly kind: "many" };

/** The parts of a pattern of SQL: `%` is many, `_` is any, and a backslash takes both their meaning. */
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
 * Whether a text is like a pattern. Only the case of ASCII letters is ignored, as the embedded database has it. The time it takes grows
 * with the product of the lengths at worst: after a mismatch only the last `%` is tried again.
 */
export function isLike(text: string, pattern: string, ignoresCase: boolean): boolean {
  const parts = partsOf(ignoresCase ? lower(pattern) : pattern);
  const characters = Array.from(ignoresCase ? lower(text) : text);
  let part = 0;
  let retry: { readonly part: number; readonly from: number } | undefined;
  for (let at = 0; at < characters.length;) {
    const wanted = parts[part];
    if (wanted?.kind === "many") {
      part += 1;
      retry = { part, from: at };
    } else if (wanted !== undefined && (wanted.kind === "any" || wanted.character === characters[at])) {
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
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The same pattern for SQLite's GLOB, which minds the case where its LIKE does not. */
export function globOf(pattern: string): string {
  return partsOf(pattern)
    .map((part) => {
      if (part.kind === "many") return "*";
      if (part.kind === "any") return "?";
      return "*?[".includes(part.character) ? `[${part.character}]` : part.character;
    })
    .join("");
}
