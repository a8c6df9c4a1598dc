/** A code block that the reader of a document acts on. */
export type Block = ConsoleBlock | FileBlock;

/** A terminal session: commands with their expected output. */
export interface ConsoleBlock {
  readonly kind: "console";
  readonly line: number;
  /** Name of the terminal in which the last command keeps running after the block; undefined if all commands end. */
  readonly terminal: string | undefined;
  /** Whether commands are retried until they print this output. */
  readonly eventually: boolean;
  /** Expected exit code of the commands. */
  readonly exit: number;
  readonly entries: readonly Entry[];
}

/** A command, Ctrl-C, or no input, and the expected output. */
export interface Entry {
  readonly line: number;
  readonly action: { readonly kind: "command"; readonly text: string } | { readonly kind: "interrupt" | "read" };
  readonly expectedLines: readonly string[];
}

/** A file to write. */
export interface FileBlock {
  readonly kind: "file";
  readonly line: number;
  readonly path: string;
  readonly text: string;
  readonly append: boolean;
}

const FENCE = /^```(?<info>\w.*)\n(?<body>[^]*?)^```$/gmu;
const COMMAND = "$ ";
const INTERRUPT = "^C";

/**
 * Returns the blocks of a document that its reader acts on:
 *
 * - `console`: lines with `$ ` are commands, lines with `^C` are Ctrl-C, all others are expected output. `terminal=NAME`:
 *   the last command keeps running, and later blocks of that terminal read its output. `eventually`: the commands are
 *   retried until they print the output. `exit=N`: the commands exit with N.
 * - `sh`: only commands; comments after `#` are for the reader. `elsewhere`: not run, because tests lack a requirement.
 * - any language with `save=PATH` or `append=PATH`: content of a file.
 */
export function blocksOf(document: string): readonly Block[] {
  return [...document.matchAll(FENCE)].flatMap(({ index, groups }): readonly Block[] => {
    const line = document.slice(0, index).split("\n").length;
    const [language, ...words] = (groups?.["info"] ?? "").split(/\s+/u);
    const body = groups?.["body"] ?? "";
    const flags = new Map(words.map((word) => [word.split("=")[0] ?? "", word.split("=").slice(1).join("=")]));
    const path = flags.get("save") ?? flags.get("append");
    if (path !== undefined) return [{ kind: "file", line, path, text: body, append: flags.has("append") }];
    if (flags.has("elsewhere")) return [];
    if (language === "console") return [consoleBlock(line, flags, entriesOf(body, line))];
    if (language === "sh") return [consoleBlock(line, flags, commandsOf(body, line))];
    return [];
  });
}

function consoleBlock(line: number, flags: ReadonlyMap<string, string>, entries: readonly Entry[]): ConsoleBlock {
  const exit = Number(flags.get("exit") ?? 0);
  return { kind: "console", line, terminal: flags.get("terminal"), eventually: flags.has("eventually"), exit, entries };
}

function entriesOf(body: string, fenceLine: number): readonly Entry[] {
  const entries: { line: number; action: Entry["action"]; expectedLines: string[] }[] = [];
  for (const [index, text] of body.trimEnd().split("\n").entries()) {
    const line = fenceLine + 1 + index;
    const last = entries.at(-1);
    if (text.startsWith(COMMAND)) {
      entries.push({ line, action: { kind: "command", text: text.slice(COMMAND.length) }, expectedLines: [] });
    } else if (text === INTERRUPT) entries.push({ line, action: { kind: "interrupt" }, expectedLines: [] });
    else if (last?.action.kind === "command" && last.expectedLines.length === 0 && last.action.text.endsWith("\\")) {
      last.action = { kind: "command", text: `${last.action.text}\n${text}` };
    } else if (last === undefined) entries.push({ line, action: { kind: "read" }, expectedLines: [text] });
    else last.expectedLines.push(text);
  }
  return entries;
}

/** Returns commands with any output. */
function commandsOf(body: string, fenceLine: number): readonly Entry[] {
  return body.split("\n").flatMap((text, index) => {
    const isCommand = text.trim() !== "" && !text.startsWith("#");
    return isCommand
      ? [{ line: fenceLine + 1 + index, action: { kind: "command" as const, text }, expectedLines: ["…"] }]
      : [];
  });
}
