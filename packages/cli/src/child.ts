import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a process says to the one that started it, when its operator is up. */
export const UP = "up";

/**
 * An operator in a process of its own. A new process is the only reload that forgets everything: module caches, timers, half-done
 * work.
 */
export class ChildOperator {
  readonly #options: { readonly cwd: string; readonly stderr: (text: string) => void };
  #child: ChildProcess | undefined;
  #stopping = false;
  #wasUp = false;

  constructor(options: { readonly cwd: string; readonly stderr: (text: string) => void }) {
    this.#options = options;
  }

  /** Whether it was up at least once. */
  get wasUp(): boolean {
    return this.#wasUp;
  }

  /** Starts `levelset` with these arguments; its output is ours. */
  start(args: readonly string[]): void {
    const launcher = fileURLToPath(new URL("../bin/levelset.cjs", import.meta.url));
    this.#stopping = false;
    const child = fork(launcher, [...args], { cwd: this.#options.cwd, stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.on("message", (message) => {
      if (message === UP) this.#wasUp = true;
    });
    child.on("exit", (code) => {
      if (!this.#stopping && code !== 0)
        this.#options.stderr("the operator is down; save a change to start it again\n");
    });
    this.#child = child;
  }

  /** Asks the process to stop and waits until it has. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#stopping = true;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }
}
