import { lineAt } from "../../../tools/tidy/tree.ts";

/** A command in a document. */
export interface DocumentCommand {
  readonly line: number;
  /** Program (`levelset` or `npm`) and arguments. */
  readonly words: readonly string[];
  /** Commands in blocks must be complete; sentences may contain partial ones. */
  readonly context: "block" | "sentence";
}

const BLOCK = /^[^\S\n]*(?:```|~~~)(?:(?:sh|console|text)(?: [^\n]*)?)?\n([^]*?)^[^\S\n]*(?:```|~~~)[^\S\n]*$/gm;
const ANY_BLOCK = /^[^\S\n]*(`{3,}|~{3,})[^\n]*\n[^]*?^[^\S\n]*\1[^\S\n]*$/gm;
const SPAN = /(?<!`)`([^`\n]+)`(?!`)/g;
const PROGRAMS = new Set(["levelset", "npm"]);

/** Returns the `levelset` and `npm` commands in the blocks and sentences of a document. */
export function documentCommands(text: string): readonly DocumentCommand[] {
  const blocks = [...text.matchAll(BLOCK)].flatMap((block) => {
    const start = lineAt(text, block.index) + 1;
    const lines = (block[1] ?? "").replaceAll(/ *\\\n */g, (joint) => ` ${"\0".repeat(joint.split("\n").length - 1)}`);
    return numbered(lines, start).flatMap(({ line, shell }) => onLine(shell, line, "block"));
  });
  const prose = text.replaceAll(ANY_BLOCK, (block) => block.replaceAll(/[^\n]/g, " "));
  const spans = [...prose.matchAll(SPAN)].flatMap((span) =>
    alternatives((span[1] ?? "").replaceAll("\\|", "|")).flatMap((each) =>
      onLine(each, lineAt(text, span.index), "sentence"),
    ),
  );
  return [...blocks, ...spans];
}

/** Returns the lines of a block with their numbers. Continued lines are joined already, with a NUL for each joint. */
function numbered(text: string, start: number): readonly { readonly line: number; readonly shell: string }[] {
  let line = start;
  return text.split("\n").map((shell) => {
    const at = { line, shell: shell.replaceAll("\0", "") };
    line += 1 + (shell.length - at.shell.length);
    return at;
  });
}

/** Expands `levelset get|create` to two commands: in a sentence, a bar without blanks is not a pipe. */
function alternatives(span: string): readonly string[] {
  const found = /(?<=^(?:npx )?levelset (?:\w+ )?)[\w…]+(?:\|[\w…]+)+/.exec(span);
  if (found === null) return [span];
  const { 0: choice, index } = found;
  return choice.split("|").map((each) => span.slice(0, index) + each + span.slice(index + choice.length));
}

function onLine(shell: string, line: number, context: DocumentCommand["context"]): readonly DocumentCommand[] {
  return simpleCommands(shell.replace(/^ *(?:\$ )?/, ""))
    .map((words) => withoutPrefix(words))
    .filter(([program = ""]) => PROGRAMS.has(program))
    .map((words) => ({ line, words, context }));
}

/** Splits a line into commands and words like a shell, with quotes and comments. */
function simpleCommands(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const [token] of line.matchAll(/&&|\|\|?|;|(?:^|(?<=\s))#.*|(?:"[^"]*"|'[^']*'|\\.|[^\s"';|&]|&(?!&))+/g)) {
    if (/^(?:&&|\|\|?|;)$/.test(token)) commands.push([]);
    else if (!token.startsWith("#")) commands.at(-1)?.push(token.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
  }
  return commands;
}

/** Removes variable assignments, redirections and `npx`. */
function withoutPrefix(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const end = words.findIndex((word) => /^\d?>|^&$/.test(word));
  const plain = words.slice(Math.max(start, 0), end === -1 ? undefined : end);
  return plain[0] === "npx" ? plain.slice(1).filter((word, index) => index > 0 || !word.startsWith("-")) : plain;
}
