import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { blocksOf } from "./block.ts";
import type { ConsoleBlock, Entry, FileBlock } from "./block.ts";
import { matchLines } from "./match.ts";
import { Terminal } from "./terminal.ts";
import type { ShellEnvironment } from "./terminal.ts";

/** Time limit and interval of retries of `eventually` blocks. */
const EVENTUALLY_MS = 30_000;
const RETRY_MS = 250;
/** Time limit for the output of a background command. */
const BACKGROUND_TIMEOUT_MS = 300_000;

/** Runs the blocks of a document and compares the output. Rejects with the line of the document on a difference. */
export async function runDocument(document: string, shell: ShellEnvironment): Promise<void> {
  await using reader = await Reader.open(shell);
  for (const block of blocksOf(document)) {
    if (block.kind === "file") await reader.write(block);
    else await reader.runBlock(block);
  }
}

class Reader implements AsyncDisposable {
  readonly #shell: ShellEnvironment;
  readonly #main: Terminal;
  readonly #others = new Map<string, Terminal>();

  private constructor(shell: ShellEnvironment, main: Terminal) {
    this.#shell = shell;
    this.#main = main;
  }

  static async open(shell: ShellEnvironment): Promise<Reader> {
    return new Reader(shell, await Terminal.open(shell, "main"));
  }

  async write({ path, text, append }: FileBlock): Promise<void> {
    const [directory = ""] = (await this.#main.run("pwd")).lines;
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await (append ? appendFile(file, `\n${text}`) : writeFile(file, text));
  }

  async runBlock(block: ConsoleBlock): Promise<void> {
    if (block.terminal === undefined) {
      for (const entry of block.entries) await this.#run(this.#main, entry, block);
      return;
    }
    const terminal = await this.#terminal(block.terminal);
    for (const [index, entry] of block.entries.entries()) {
      const isBackground = block.entries.slice(index + 1).every(({ action }) => action.kind !== "command");
      if (entry.action.kind === "command" && !isBackground) await this.#run(terminal, entry, block);
      else await this.#readBackground(terminal, entry);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const terminal of this.#others.values()) await terminal[Symbol.asyncDispose]();
  }

  /** Returns the terminal; a new one starts with the directory and variables of the main terminal. */
  async #terminal(name: string): Promise<Terminal> {
    const terminal = this.#others.get(name) ?? (await Terminal.open(this.#shell, name, this.#main));
    this.#others.set(name, terminal);
    return terminal;
  }

  async #run(
    terminal: Terminal,
    { action, expectedLines, line }: Entry,
    { eventually, exit }: ConsoleBlock,
  ): Promise<void> {
    if (action.kind !== "command") throw new Error(`line ${line}: only named terminals have background commands`);
    const deadline = Date.now() + (eventually ? EVENTUALLY_MS : 0);
    for (;;) {
      const { code, lines } = await terminal.run(action.text);
      const match = matchLines(expectedLines, lines, { whole: true });
      if (match.kind === "agrees" && code === exit) return;
      if (Date.now() >= deadline) {
        const problem = match.kind === "differs" ? `missing: ${match.expected}` : `exit code ${code}, expected ${exit}`;
        throw new Error(`line ${line}: $ ${action.text}\n${problem}\noutput:\n${lines.join("\n")}`);
      }
      await pause(RETRY_MS);
    }
  }

  async #readBackground(terminal: Terminal, { action, expectedLines, line }: Entry): Promise<void> {
    if (action.kind === "interrupt") return terminal.interrupt();
    if (action.kind === "command") terminal.start(action.text);
    const timer = new AbortController();
    const timeout = pause(BACKGROUND_TIMEOUT_MS, timer.signal).then(() => {
      throw new Error("timed out");
    });
    try {
      await Promise.race([terminal.untilShown(expectedLines), timeout]);
    } catch (error) {
      throw new Error(`line ${line}: missing:\n${expectedLines.join("\n")}\noutput:\n${terminal.output}`, {
        cause: error,
      });
    } finally {
      timer.abort();
    }
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
