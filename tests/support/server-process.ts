import { describe, test } from "vitest";
import { startWatchdog } from "../../tools/envtest/watchdog.ts";
import type { Watchdog } from "../../tools/envtest/watchdog.ts";
import { installHint, missingPrograms } from "../../tools/system/system-requirement.ts";
import type { SystemRequirement } from "../../tools/system/system-requirement.ts";
import { TestProcess } from "./test-process.ts";
import type { ProcessOptions } from "./test-process.ts";

/** Defines a suite that needs an installed server. If it is missing, prints one line and skips the suite, which fails in CI. */
export function onServer(suite: string, need: SystemRequirement, define: () => void): void {
  const missing = missingPrograms(need);
  if (missing.length === 0) return define();
  console.warn(`${suite}: needs ${missing.join(" and ")}. Hint: ${installHint(need)}`);
  describe(suite, () => {
    test.skip(`needs ${missing.join(" and ")}`, () => {});
  });
}

/**
 * A server that a test kills and restarts with the same data, which is in its working directory. It does not outlive
 * this process: if this process ends first, even by SIGKILL, a watchdog kills the server and removes its directory.
 */
export class ServerProcess implements AsyncDisposable {
  readonly #command: string;
  readonly #options: ProcessOptions;
  readonly #ready: RegExp;
  #process: TestProcess | undefined;
  #guard: Watchdog | undefined;

  constructor(command: string, options: ProcessOptions & { readonly ready: RegExp }) {
    this.#command = command;
    this.#options = options;
    this.#ready = options.ready;
  }

  /** Its process id; undefined before it was started. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves when the server reports that it is ready. */
  async start(): Promise<void> {
    this.#guard = await startWatchdog(this.#options.cwd);
    this.#process = new TestProcess(this.#command, this.#options);
    const { pid } = this.#process;
    if (pid !== undefined) this.#guard.watch({ pid, exited: this.#process.untilExit() });
    await this.#process.untilOutput(this.#ready);
  }

  /** Kills it with SIGKILL. */
  async kill(): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
    await this.#guard?.release();
    this.#guard = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
