import data from "./banned-words.json" with { type: "json" };
import { lineAt } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** The data file: banned words with their replacements, and allowed uses. */
export interface BannedWords {
  /** The maximum number of uses in the tree. It only decreases. */
  readonly limit: number;
  /** A word of prose, or words of an identifier joined by hyphens, with its replacement. */
  readonly words: Readonly<Record<string, string>>;
  /** Several words of prose, with their replacement. */
  readonly phrases: Readonly<Record<string, string>>;
  /** Allowed words by path, because they quote another program or have another meaning. */
  readonly allow: Readonly<Record<string, readonly string[]>>;
}

const DATA = "tools/tidy/banned-words.json";
const TEXT = /\.(?:ts|tsx|mts|cts|js|jsx|mjs|cjs|md|json|ya?ml|css|html|sh)$|\/[^./]+$/;
/** Data of other programs, and documents of an earlier release. */
const SKIPPED = /(?:^|\/)package-lock\.json$|\/golden\/|^tests\/e2e\/upgrade\/[0-9]/;
/** Words of prose and of identifiers: `retryAfter` has two. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** Reports banned words beyond the limit of the data file, and a limit that is higher than the number of uses. */
export function checkBannedWords(tree: SourceTree, banned: BannedWords = data): readonly Violation[] {
  const uses = [...tree].flatMap(([path, text]) => (isRead(path) ? usesIn(path, text, banned) : []));
  if (uses.length > banned.limit) return uses;
  if (uses.length === banned.limit) return [];
  const message = `allows ${banned.limit} banned words, and the tree has ${uses.length}`;
  return [{ file: DATA, line: 2, message, fix: `set the limit to ${uses.length}` }];
}

function isRead(path: string): boolean {
  return path !== DATA && TEXT.test(path) && !SKIPPED.test(path);
}

function usesIn(path: string, text: string, { words, phrases, allow }: BannedWords): readonly Violation[] {
  const allowed = new Set(allow[path]);
  const found: Violation[] = [];
  const add = (index: number, word: string, fix: string): void => {
    if (!allowed.has(word)) found.push({ file: path, line: lineAt(text, index), message: `uses ${word}`, fix });
  };
  let previous: { readonly word: string; readonly end: number } | undefined;
  for (const match of text.matchAll(WORD)) {
    const word = match[0].toLowerCase();
    const pair = previous?.end === match.index ? `${previous.word}-${word}` : "";
    for (const each of [word, pair]) {
      const fix = Object.hasOwn(words, each) ? words[each] : undefined;
      if (fix !== undefined) add(match.index, each, fix);
    }
    previous = { word, end: match.index + match[0].length };
  }
  for (const [phrase, fix] of Object.entries(phrases)) {
    const pattern = new RegExp(`\\b${phrase.replaceAll(" ", "[\\s*/]+")}\\b`, "giu");
    for (const match of text.matchAll(pattern)) add(match.index, phrase, fix);
  }
  return found;
}
