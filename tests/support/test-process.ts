import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Exit code and output of a process. */
export interface ProcessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of {@link TestProcess}. */
export interface ProcessOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A process of a test. It is killed with the test. */
export class TestProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<ProcessResult>;
  readonly #waiters = new Set<() => void>();
  #stdout = "";
  #stderr = "";
  /** Whether it has ended and all its output was received. */
  #isClosed = false;

  constructor(command: string, options: ProcessOptions) {
    // In its own process group, so that a signal reaches all its processes, as Ctrl-C in a terminal does.
    this.#child = spawn(command, [...options.args], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    // A character may be split across two chunks.
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.setEncoding("utf8");
    this.#child.stdout?.on("data", (chunk: string) => this.#update(() => (this.#stdout += chunk)));
    this.#child.stderr?.on("data", (chunk: string) => this.#update(() => (this.#stderr += chunk)));
    this.#ended = once(this.#child, "close").then(() => {
      this.#update(() => (this.#isClosed = true));
      return { code: this.#child.exitCode, stdout: this.#stdout, stderr: this.#stderr };
    });
  }

  /** Process id and process group id; undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** All output so far. */
  get output(): string {
    return this.#stdout + this.#stderr;
  }

  /** Resolves with the match once its complete lines match. Rejects if the process ends before. */
  untilOutput(pattern: RegExp): Promise<RegExpMatchArray> {
    return this.until((lines) => lines.match(pattern) ?? undefined, `${pattern}`);
  }

  /** Resolves with the first defined result of `find` on its complete lines. Rejects if the process ends before. */
  async until<T>(find: (lines: string) => T | undefined, expected = "that was expected"): Promise<T> {
    for (;;) {
      const found = find(this.#isClosed ? this.output : wholeLines(this.#stdout) + wholeLines(this.#stderr));
      if (found !== undefined) return found;
      if (this.#isClosed) throw new Error(`the process ended without the output ${expected}:\n${this.output}`);
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
    }
  }

  /** Resolves when the process has ended. */
  untilExit(): Promise<ProcessResult> {
    return this.#ended;
  }

  /** Sends a signal to its process group. */
  signal(name: "SIGINT" | "SIGTERM" | "SIGKILL"): void {
    const hasEnded = this.#child.exitCode !== null || this.#child.signalCode !== null;
    if (this.#child.pid !== undefined && !hasEnded) process.kill(-this.#child.pid, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal("SIGKILL");
    await this.#ended;
  }

  #update(change: () => void): void {
    change();
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }
}

/** Returns the complete lines: the rest of the last one, such as half of an address, may arrive later. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

/** Runs a program to its end. */
export async function runProcess(command: string, options: ProcessOptions): Promise<ProcessResult> {
  await using running = new TestProcess(command, options);
  return await running.untilExit();
}
