import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { PACKAGE_ROOT } from "./package-root.ts";

/** IPC message to the parent process when the operator is running. */
export const READY_MESSAGE = "up";

/**
 * Runs an operator in a child process. Only a new process resets module caches, timers and unfinished work on reload.
 */
export class ChildOperator {
  readonly #options: { readonly cwd: string; readonly stderr: (text: string) => void };
  #child: ChildProcess | undefined;
  #stopping = false;
  #wasReady = false;

  constructor(options: { readonly cwd: string; readonly stderr: (text: string) => void }) {
    this.#options = options;
  }

  /** Whether the operator has been running at least once. */
  get wasReady(): boolean {
    return this.#wasReady;
  }

  /** Starts `levelset` with these arguments; it inherits stdout and stderr. */
  start(args: readonly string[]): void {
    const launcher = fileURLToPath(new URL("bin/levelset.cjs", PACKAGE_ROOT));
    this.#stopping = false;
    const child = fork(launcher, [...args], { cwd: this.#options.cwd, stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.on("message", (message) => {
      if (message === READY_MESSAGE) this.#wasReady = true;
    });
    child.on("exit", (code) => {
      if (!this.#stopping && code !== 0) this.#options.stderr("the operator has exited; save a change to restart it\n");
    });
    this.#child = child;
  }

  /** Stops the process and waits until it has exited. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#stopping = true;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }
}
