import { copyFile, writeFile } from "node:fs/promises";
import { TestProcess } from "../support/test-process.ts";
import { matchLines } from "./match.ts";

/** Directories and environment of a shell. */
export interface ShellEnvironment {
  /** Initial directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Directory for the state of terminals. */
  readonly stateDirectory: string;
}

/** Exit code and output of a command. */
export interface CommandOutput {
  readonly code: number | null;
  readonly lines: readonly string[];
}

/** A terminal with bash that retains directory and exported variables between commands. */
export class Terminal implements AsyncDisposable {
  readonly #shell: ShellEnvironment;
  readonly #state: string;
  #running: TestProcess | undefined;
  /** Number of consumed lines of the background command. */
  #consumed = 0;

  private constructor(shell: ShellEnvironment, name: string) {
    this.#shell = shell;
    this.#state = `${shell.stateDirectory}/${name}.sh`;
  }

  /** Opens a terminal in the initial directory, or with the state of another terminal. */
  static async open(shell: ShellEnvironment, name: string, from?: Terminal): Promise<Terminal> {
    const terminal = new Terminal(shell, name);
    if (from === undefined) await writeFile(terminal.#state, `cd ${quoted(shell.cwd)}\n`);
    else await copyFile(from.#state, terminal.#state);
    return terminal;
  }

  /** Runs a command until it exits. */
  async run(command: string): Promise<CommandOutput> {
    await using running = this.#spawn(command);
    const { code, stdout } = await running.untilExit();
    return { code, lines: linesOf(stdout) };
  }

  /** Starts a background command. */
  start(command: string): void {
    if (this.#running !== undefined) throw new Error("a command is already running in this terminal");
    this.#running = this.#spawn(command);
    this.#consumed = 0;
  }

  /** Waits until the background command has printed these lines after those consumed before. */
  async untilShown(lines: readonly string[]): Promise<void> {
    const running = this.#requireRunning();
    this.#consumed += await running.until((output) => {
      const match = matchLines(lines, linesOf(output).slice(this.#consumed), { whole: false });
      return match.kind === "agrees" ? match.lines : undefined;
    });
  }

  /** The whole output of the background command. */
  get output(): string {
    return this.#running?.output ?? "";
  }

  /** Sends Ctrl-C and waits for the exit. */
  async interrupt(): Promise<void> {
    const running = this.#requireRunning();
    running.signal("SIGINT");
    await running.untilExit();
    this.#running = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.[Symbol.asyncDispose]();
  }

  #requireRunning(): TestProcess {
    if (this.#running === undefined) throw new Error("no command is running in this terminal");
    return this.#running;
  }

  #spawn(command: string): TestProcess {
    const saveState = `{ declare -px; printf 'cd %q\\n' "$PWD"; } > ${quoted(this.#state)}`;
    const script = `exec 2>&1; . ${quoted(this.#state)}; trap ${quoted(saveState)} EXIT\n${command}\n`;
    return new TestProcess("bash", { args: ["-c", script], cwd: this.#shell.cwd, env: this.#shell.env });
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function linesOf(output: string): readonly string[] {
  return output.replaceAll("\r\n", "\n").split("\n");
}
