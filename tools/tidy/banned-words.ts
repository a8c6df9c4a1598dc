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

/** A banned word in a file, allowed there or not. */
interface Use {
  readonly file: string;
  readonly line: number;
  readonly word: string;
  readonly fix: string;
}

const DATA = "tools/tidy/banned-words.json";
const TEXT = /\.(?:ts|tsx|mts|cts|js|jsx|mjs|cjs|md|json|ya?ml|css|html|sh)$|\/[^./]+$/;
/** Data of other programs, and documents of an earlier release. */
const SKIPPED = /(?:^|\/)package-lock\.json$|\/golden\/|^tests\/e2e\/upgrade\/[0-9]/;
/** Words of prose and of identifiers: `retryAfter` has two. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/**
 * Reports banned words beyond the limit of the data file, a limit that is higher than the number of uses, and allowed
 * words that their file does not use.
 */
export function checkBannedWords(tree: SourceTree, banned: BannedWords = data): readonly Violation[] {
  const found = [...tree].flatMap(([path, text]) => (isRead(path) ? usesIn(path, text, banned) : []));
  const uses = found
    .filter(({ file, word }) => !(banned.allow[file] ?? []).includes(word))
    .map(({ file, line, word, fix }) => ({ file, line, message: `uses ${word}`, fix }));
  const stale = unusedEntries(tree, banned, found);
  if (uses.length > banned.limit) return [...uses, ...stale];
  if (uses.length === banned.limit) return stale;
  const message = `allows ${banned.limit} banned words, and the tree has ${uses.length}`;
  return [{ file: DATA, line: 2, message, fix: `set the limit to ${uses.length}` }, ...stale];
}

function unusedEntries(tree: SourceTree, { allow }: BannedWords, found: readonly Use[]): readonly Violation[] {
  const text = tree.get(DATA) ?? "";
  return Object.entries(allow).flatMap(([path, words]) =>
    words
      .filter((word) => !found.some((use) => use.file === path && use.word === word))
      .map((word) => {
        const message = `allows ${word} in ${path}, which does not use it`;
        return { file: DATA, line: lineAt(text, text.indexOf(path)), message, fix: "remove the entry" };
      }),
  );
}

function isRead(path: string): boolean {
  return path !== DATA && TEXT.test(path) && !SKIPPED.test(path);
}

function usesIn(path: string, text: string, { words, phrases }: BannedWords): readonly Use[] {
  const found: Use[] = [];
  const add = (index: number, word: string, fix: string): void => {
    found.push({ file: path, line: lineAt(text, index), word, fix });
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
