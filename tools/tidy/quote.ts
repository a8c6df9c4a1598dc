import { documentPaths } from "./document.ts";
import { lineAt, textOf } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** A block of code that names its source: three backticks, the language, `file=PATH`, and perhaps where a reader saves it. */
const QUOTE = /^```\w* file=(\S+)(?: [^\n]*)?\n([^]*?)^```$/gm;
/** Where all code is quoted: people copy it. */
const GUIDE = /^(?:README\.md|docs\/guide\/.+\.md)$/;
const UNQUOTED = /^```ts\n/gm;
/** A line that stands for lines left out. */
const LEFT_OUT = /^\s*(?:\/\/ )?…$/;

/**
 * Every block of code in a document that says `file=PATH` is in that file, line by line, in this order. A line with nothing but `…`
 * stands for any lines between; the block as a whole may be indented less. In the guide every block of TypeScript is such a quote.
 */
export function checkQuotes(tree: Tree): readonly Violation[] {
  return documentPaths(tree).flatMap((file) => {
    const text = textOf(tree, file);
    const quotes = [...text.matchAll(QUOTE)].flatMap((match) => misquote(tree, file, match));
    const unquoted = GUIDE.test(file) ? [...text.matchAll(UNQUOTED)] : [];
    return [...quotes, ...unquoted.map((match) => notQuoted(file, match))];
  });
}

function misquote(tree: Tree, file: string, match: RegExpExecArray): readonly Violation[] {
  const [, source = "", block = ""] = match;
  const lacking = tree.has(source) ? lackingLine(textOf(tree, source), block) : "";
  if (lacking === undefined) return [];
  const wrong = `quotes ${source}, which does not have ${lacking === "" ? "it" : JSON.stringify(lacking)} there`;
  return [{ file, line: lineAt(match.input, match.index), wrong, instead: "copy the lines from the file again" }];
}

function notQuoted(file: string, match: RegExpExecArray): Violation {
  const wrong = "shows code that is in no file";
  return {
    file,
    line: lineAt(match.input, match.index),
    wrong,
    instead: "quote it from a tested one: ```ts file=PATH",
  };
}

/** The first line of a block that a text does not have in its place; undefined if all are there. */
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

/** The lines of a block, in the parts that stand together. */
function partsOf(block: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (const line of block.trimEnd().split("\n")) {
    if (LEFT_OUT.test(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.filter((part) => part.length > 0);
}

/** How many lines agree, when all of the source's are indented like its first. */
function lengthOfMatch(source: readonly string[], part: readonly string[]): number {
  const [start = ""] = source;
  const [first = ""] = part;
  const indent = start.slice(0, start.length - first.length);
  if (indent.trim() !== "") return 0;
  const differing = part.findIndex((line, index) => source[index] !== (line === "" ? "" : indent + line));
  return differing === -1 ? part.length : differing;
}
