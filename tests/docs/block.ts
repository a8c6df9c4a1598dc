/** What a reader of a document does at one place of it, from top to bottom. */
export type Block = ConsoleBlock | FileBlock;

/** A session at a terminal: commands, each with what it shows. */
export interface ConsoleBlock {
  readonly kind: "console";
  readonly line: number;
  /** The terminal whose last command goes on after the block. Undefined: all commands end. */
  readonly terminal: string | undefined;
  /** Whether the reader may have to ask again until it shows this. */
  readonly eventually: boolean;
  /** How its commands end. */
  readonly exit: number;
  readonly entries: readonly Entry[];
}

/** A command, Ctrl-C, or nothing at all, and the lines that are seen then. */
export interface Entry {
  readonly line: number;
  readonly act: { readonly kind: "command"; readonly text: string } | { readonly kind: "interrupt" | "look" };
  readonly shown: readonly string[];
}

/** A file that the reader writes. */
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
 * The blocks of a document that a reader acts on:
 *
 * - `console`: lines with `$ ` are commands, lines with `^C` are Ctrl-C, all others are what is seen. `terminal=NAME`: its last
 *   command stays, and later blocks of that terminal go on with it. `eventually`: it may take a while until this is seen.
 *   `exit=N`: the commands end with N.
 * - `sh`: commands alone; comments behind `#` are for the reader. `elsewhere`: not run, since it needs what no test has.
 * - any language with `save=PATH` or `append=PATH`: the reader puts it into a file.
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
  const entries: { line: number; act: Entry["act"]; shown: string[] }[] = [];
  for (const [index, text] of body.trimEnd().split("\n").entries()) {
    const line = fenceLine + 1 + index;
    const last = entries.at(-1);
    if (text.startsWith(COMMAND)) {
      entries.push({ line, act: { kind: "command", text: text.slice(COMMAND.length) }, shown: [] });
    } else if (text === INTERRUPT) entries.push({ line, act: { kind: "interrupt" }, shown: [] });
    else if (last?.act.kind === "command" && last.shown.length === 0 && last.act.text.endsWith("\\")) {
      last.act = { kind: "command", text: `${last.act.text}\n${text}` };
    } else if (last === undefined) entries.push({ line, act: { kind: "look" }, shown: [text] });
    else last.shown.push(text);
  }
  return entries;
}

/** Commands whose output is not shown, so that any will do. */
function commandsOf(body: string, fenceLine: number): readonly Entry[] {
  return body.split("\n").flatMap((text, index) => {
    const isCommand = text.trim() !== "" && !text.startsWith("#");
    return isCommand ? [{ line: fenceLine + 1 + index, act: { kind: "command" as const, text }, shown: ["…"] }] : [];
  });
}
