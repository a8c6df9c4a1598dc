import { documentPaths } from "./document-links.ts";
import { lineAt, textOf } from "../tree.ts";
import type { SourceTree } from "../tree.ts";
import type { Violation } from "../violation.ts";

/** A code block that names its source: three backticks, the language, `file=PATH`, and optionally `save=PATH`. */
const QUOTE = /^```\w* file=(\S+)(?: [^\n]*)?\n([^]*?)^```$/gm;
/** Documents in which all TypeScript must be quoted, because readers copy it. */
const GUIDE = /^(?:README\.md|docs\/guide\/.+\.md)$/;
const UNQUOTED = /^```ts\n/gm;
/** A line that stands for omitted lines. */
const LEFT_OUT = /^\s*(?:\/\/ )?…$/;

/**
 * Reports code blocks with `file=PATH` whose lines are not in that file in this order. A line with only `…` stands for
 * any lines; the whole block may be indented less. In the guide, every block of TypeScript must be such a quote.
 */
export function checkCodeQuotes(tree: SourceTree): readonly Violation[] {
  return documentPaths(tree).flatMap((file) => {
    const text = textOf(tree, file);
    const quotes = [...text.matchAll(QUOTE)].flatMap((match) => misquote(tree, file, match));
    const unquoted = GUIDE.test(file) ? [...text.matchAll(UNQUOTED)] : [];
    return [...quotes, ...unquoted.map((match) => notQuoted(file, match))];
  });
}

function misquote(tree: SourceTree, file: string, match: RegExpExecArray): readonly Violation[] {
  const [, source = "", block = ""] = match;
  const lacking = tree.has(source) ? lackingLine(textOf(tree, source), block) : "";
  if (lacking === undefined) return [];
  const wrong = `quotes ${source}, which does not have ${lacking === "" ? "it" : JSON.stringify(lacking)} there`;
  return [{ file, line: lineAt(match.input, match.index), message: wrong, fix: "copy the lines from the file again" }];
}

function notQuoted(file: string, match: RegExpExecArray): Violation {
  const wrong = "shows code that is not quoted from a file";
  return {
    file,
    line: lineAt(match.input, match.index),
    message: wrong,
    fix: "quote it from a tested file: ```ts file=PATH",
  };
}

/** Returns the first line of a block that a text lacks at its position; undefined if it has all. */
function lackingLine(text: string, block: string): string | undefined {
  let rest: readonly string[] = text.split("\n");
  for (const part of partsOf(block)) {
    const best = rest.map((_, start) => lengthOfMatch(rest.slice(start), part));
    const most = Math.max(0, ...best);
    if (most < part.length) return part[most];
    rest = rest.slice(best.indexOf(most) + most);
  }
  return undefined;
}

/** Returns the lines of a block, split at omissions. */
function partsOf(block: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (const line of block.trimEnd().split("\n")) {
    if (LEFT_OUT.test(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.filter((part) => part.length > 0);
}

/** Returns the number of equal lines, after removing the indentation of the first source line. */
function lengthOfMatch(source: readonly string[], part: readonly string[]): number {
  const [start = ""] = source;
  const [first = ""] = part;
  const indent = start.slice(0, start.length - first.length);
  if (indent.trim() !== "") return 0;
  const differing = part.findIndex((line, index) => source[index] !== (line === "" ? "" : indent + line));
  return differing === -1 ? part.length : differing;
}
