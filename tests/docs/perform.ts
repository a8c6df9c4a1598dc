import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { blocksOf } from "./block.ts";
import type { ConsoleBlock, Entry, FileBlock } from "./block.ts";
import { matchLines } from "./match.ts";
import { Terminal } from "./terminal.ts";
import type { Seat } from "./terminal.ts";

/** How long a reader goes on asking where a document says that it may take a while. */
const EVENTUALLY_MS = 30_000;
const ASK_AGAIN_MS = 250;
/** How long a reader waits for what a command that stays shows. */
const PATIENCE_MS = 300_000;

/** Does all that a document tells its reader to do, and compares what is seen with what it shows. Fails with the line of the document. */
export async function perform(document: string, seat: Seat): Promise<void> {
  await using reader = await Reader.sitDown(seat);
  for (const block of blocksOf(document)) {
    if (block.kind === "file") await reader.write(block);
    else await reader.follow(block);
  }
}

class Reader implements AsyncDisposable {
  readonly #seat: Seat;
  readonly #main: Terminal;
  readonly #others = new Map<string, Terminal>();

  private constructor(seat: Seat, main: Terminal) {
    this.#seat = seat;
    this.#main = main;
  }

  static async sitDown(seat: Seat): Promise<Reader> {
    return new Reader(seat, await Terminal.open(seat, "main"));
  }

  async write({ path, text, append }: FileBlock): Promise<void> {
    const [directory = ""] = (await this.#main.run("pwd")).lines;
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await (append ? appendFile(file, `\n${text}`) : writeFile(file, text));
  }

  async follow(block: ConsoleBlock): Promise<void> {
    if (block.terminal === undefined) {
      for (const entry of block.entries) await this.#run(this.#main, entry, block);
      return;
    }
    const terminal = await this.#terminal(block.terminal);
    for (const [index, entry] of block.entries.entries()) {
      const stays = block.entries.slice(index + 1).every(({ act }) => act.kind !== "command");
      if (entry.act.kind === "command" && !stays) await this.#run(terminal, entry, block);
      else await this.#stay(terminal, entry);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const terminal of this.#others.values()) await terminal[Symbol.asyncDispose]();
  }

  /** Another terminal is opened where the first one is. */
  async #terminal(name: string): Promise<Terminal> {
    const terminal = this.#others.get(name) ?? (await Terminal.open(this.#seat, name, this.#main));
    this.#others.set(name, terminal);
    return terminal;
  }

  async #run(terminal: Terminal, { act, shown, line }: Entry, { eventually, exit }: ConsoleBlock): Promise<void> {
    if (act.kind !== "command") throw new Error(`line ${line}: nothing runs in a terminal without a name`);
    const deadline = Date.now() + (eventually ? EVENTUALLY_MS : 0);
    for (;;) {
      const { code, lines } = await terminal.run(act.text);
      const match = matchLines(shown, lines, { whole: true });
      if (match.kind === "agrees" && code === exit) return;
      if (Date.now() >= deadline) {
        const wrong = match.kind === "differs" ? `not seen: ${match.shown}` : `it ended with ${code}, not ${exit}`;
        throw new Error(`line ${line}: $ ${act.text}\n${wrong}\nseen:\n${lines.join("\n")}`);
      }
      await pause(ASK_AGAIN_MS);
    }
  }

  async #stay(terminal: Terminal, { act, shown, line }: Entry): Promise<void> {
    if (act.kind === "interrupt") return terminal.interrupt();
    if (act.kind === "command") terminal.start(act.text);
    const timer = new AbortController();
    const late = pause(PATIENCE_MS, timer.signal).then(() => {
      throw new Error("it takes too long");
    });
    try {
      await Promise.race([terminal.shows(shown), late]);
    } catch (error) {
      throw new Error(`line ${line}: not seen:\n${shown.join("\n")}\nseen:\n${terminal.seen}`, { cause: error });
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
