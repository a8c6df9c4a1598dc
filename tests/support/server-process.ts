import { describe, test } from "vitest";
import { startGuard } from "../../tools/envtest/guard.ts";
import type { Guard } from "../../tools/envtest/guard.ts";
import { hint, missingPrograms } from "../../tools/system/need.ts";
import type { Need } from "../../tools/system/need.ts";
import { TestProcess } from "./process.ts";
import type { ProcessOptions } from "./process.ts";

/** Defines a suite that needs an installed server. Where it is missing, one line says so and the suite counts as skipped. */
export function onServer(suite: string, need: Need, define: () => void): void {
  const missing = missingPrograms(need);
  if (missing.length === 0) return define();
  console.warn(`${suite}: needs ${missing.join(" and ")}. Hint: ${hint(need)}`);
  describe(suite, () => {
    test.skip(`needs what this installs: ${hint(need)}`, () => {});
  });
}

/**
 * A server that a test kills and starts again with the same data, which is in its working directory. It does not outlive this process:
 * if that ends before the server does, by Ctrl-C or worse, the server is killed and its directory removed.
 */
export class ServerProcess implements AsyncDisposable {
  readonly #command: string;
  readonly #options: ProcessOptions;
  readonly #ready: RegExp;
  #process: TestProcess | undefined;
  #guard: Guard | undefined;

  constructor(command: string, options: ProcessOptions & { readonly ready: RegExp }) {
    this.#command = command;
    this.#options = options;
    this.#ready = options.ready;
  }

  /** The number of its process; undefined before it was started. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves when the server says that it is ready. */
  async start(): Promise<void> {
    this.#guard = await startGuard(this.#options.cwd);
    this.#process = new TestProcess(this.#command, this.#options);
    const { pid } = this.#process;
    if (pid !== undefined) this.#guard.watch({ pid, ended: this.#process.ended() });
    await this.#process.says(this.#ready);
  }

  /** Ends it as a power cut would, for what the server can tell. */
  async kill(): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
    await this.#guard?.release();
    this.#guard = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
