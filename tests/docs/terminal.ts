import { copyFile, writeFile } from "node:fs/promises";
import { TestProcess } from "../support/process.ts";
import { matchLines } from "./match.ts";

/** Where a reader sits. */
export interface Seat {
  /** The directory that the reader is in at first. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A directory for what terminals remember. */
  readonly memory: string;
}

/** How a command ended, and what was seen. */
export interface Shown {
  readonly code: number | null;
  readonly lines: readonly string[];
}

/** A terminal with bash: directory and exported variables last from command to command. */
export class Terminal implements AsyncDisposable {
  readonly #seat: Seat;
  readonly #state: string;
  #running: TestProcess | undefined;
  /** How many lines of what runs were looked at. */
  #read = 0;

  private constructor(seat: Seat, name: string) {
    this.#seat = seat;
    this.#state = `${seat.memory}/${name}.sh`;
  }

  /** Opens one where the reader is, or where another terminal is. */
  static async open(seat: Seat, name: string, from?: Terminal): Promise<Terminal> {
    const terminal = new Terminal(seat, name);
    if (from === undefined) await writeFile(terminal.#state, `cd ${quoted(seat.cwd)}\n`);
    else await copyFile(from.#state, terminal.#state);
    return terminal;
  }

  /** Runs a command to its end. */
  async run(command: string): Promise<Shown> {
    await using running = this.#spawn(command);
    const { code, stdout } = await running.ended();
    return { code, lines: linesOf(stdout) };
  }

  /** Starts a command that stays. */
  start(command: string): void {
    if (this.#running !== undefined) throw new Error("something runs in this terminal already");
    this.#running = this.#spawn(command);
    this.#read = 0;
  }

  /** Waits until what runs has shown these lines, after those that were waited for before. */
  async shows(lines: readonly string[]): Promise<void> {
    const running = this.#mustRun();
    this.#read += await running.until((output) => {
      const match = matchLines(lines, linesOf(output).slice(this.#read), { whole: false });
      return match.kind === "agrees" ? match.lines : undefined;
    });
  }

  /** All that was seen of what runs. */
  get seen(): string {
    return this.#running?.output ?? "";
  }

  /** Ctrl-C, and waits for the end. */
  async interrupt(): Promise<void> {
    const running = this.#mustRun();
    running.signal("SIGINT");
    await running.ended();
    this.#running = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.[Symbol.asyncDispose]();
  }

  #mustRun(): TestProcess {
    if (this.#running === undefined) throw new Error("nothing runs in this terminal");
    return this.#running;
  }

  #spawn(command: string): TestProcess {
    const remember = `{ declare -px; printf 'cd %q\\n' "$PWD"; } > ${quoted(this.#state)}`;
    const script = `exec 2>&1; . ${quoted(this.#state)}; trap ${quoted(remember)} EXIT\n${command}\n`;
    return new TestProcess("bash", { args: ["-c", script], cwd: this.#seat.cwd, env: this.#seat.env });
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function linesOf(output: string): readonly string[] {
  return output.replaceAll("\r\n", "\n").split("\n");
}
