import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** How a process ended and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What to start. */
export interface ProcessOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A program that a test started and talks with. It is ended with the test. */
export class TestProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ended>;
  readonly #waiters = new Set<() => void>();
  #stdout = "";
  #stderr = "";
  /** Whether it has ended and everything it said was heard. */
  #isSilent = false;

  constructor(command: string, options: ProcessOptions) {
    // A group of its own, so that Ctrl-C can be sent to all of it, as a terminal does.
    this.#child = spawn(command, [...options.args], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    // A character may come in two pieces.
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.setEncoding("utf8");
    this.#child.stdout?.on("data", (piece: string) => this.#said(() => (this.#stdout += piece)));
    this.#child.stderr?.on("data", (piece: string) => this.#said(() => (this.#stderr += piece)));
    this.#ended = once(this.#child, "close").then(() => {
      this.#said(() => (this.#isSilent = true));
      return { code: this.#child.exitCode, stdout: this.#stdout, stderr: this.#stderr };
    });
  }

  /** The number of the process, which leads a group of its own; undefined if it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** All that it has said so far. */
  get output(): string {
    return this.#stdout + this.#stderr;
  }

  /** Resolves with the match once its lines match, as far as they are whole; fails when it ends before. */
  says(pattern: RegExp): Promise<RegExpMatchArray> {
    return this.until((lines) => lines.match(pattern) ?? undefined, `${pattern}`);
  }

  /** Resolves with what is found in its lines, as far as they are whole, once it is; fails when it ends before. */
  async until<T>(find: (lines: string) => T | undefined, sought = "what was awaited"): Promise<T> {
    for (;;) {
      const found = find(this.#isSilent ? this.output : wholeLines(this.#stdout) + wholeLines(this.#stderr));
      if (found !== undefined) return found;
      if (this.#isSilent) throw new Error(`it ended without saying ${sought}:\n${this.output}`);
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  /** Resolves when it has ended by itself. */
  ended(): Promise<Ended> {
    return this.#ended;
  }

  /** Sends a signal to it and to all that it started. */
  signal(name: "SIGINT" | "SIGTERM" | "SIGKILL"): void {
    const hasEnded = this.#child.exitCode !== null || this.#child.signalCode !== null;
    if (this.#child.pid !== undefined && !hasEnded) process.kill(-this.#child.pid, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal("SIGKILL");
    await this.#ended;
  }

  #said(note: () => void): void {
    note();
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }
}

/** The rest of a line, such as half of an address, may still be on its way. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

/** Runs a program to its end. */
export async function runProcess(command: string, options: ProcessOptions): Promise<Ended> {
  await using running = new TestProcess(command, options);
  return await running.ended();
}
