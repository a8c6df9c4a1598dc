import { describe, test } from "vitest";
import { freePorts } from "../../tools/envtest/port.ts";
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

const ATTEMPTS_MAX = 3;
/** Messages of Node, Go and PostgreSQL, RabbitMQ, and Erlang's port mapper. */
const PORT_TAKEN = /address already in use|eaddrinuse|already a epmd running/iu;

/** Starts a server on free ports, and on others if another process has taken one of them meanwhile. */
export async function onFreePorts<T>(count: number, start: (ports: readonly number[]) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePorts(count));
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !(error instanceof Error) || !PORT_TAKEN.test(error.message)) throw error;
    }
  }
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

  /** Resolves when the server reports that it is ready. Rejects with its output if it ends before. */
  async start(): Promise<void> {
    this.#guard = await startWatchdog(this.#options.cwd);
    this.#process = new TestProcess(this.#command, this.#options);
    const { pid } = this.#process;
    if (pid !== undefined) this.#guard.watch({ pid, exited: this.#process.untilExit() });
    try {
      await this.#process.untilOutput(this.#ready);
    } catch (error) {
      await this.kill();
      throw error;
    }
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
