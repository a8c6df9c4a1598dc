import { describe, test } from "vitest";
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

/** A server that a test kills and starts again with the same data. */
export class ServerProcess implements AsyncDisposable {
  readonly #command: string;
  readonly #options: ProcessOptions;
  readonly #ready: RegExp;
  #process: TestProcess | undefined;

  constructor(command: string, options: ProcessOptions & { readonly ready: RegExp }) {
    this.#command = command;
    this.#options = options;
    this.#ready = options.ready;
  }

  /** Resolves when the server says that it is ready. */
  async start(): Promise<void> {
    this.#process = new TestProcess(this.#command, this.#options);
    await this.#process.says(this.#ready);
  }

  /** Ends it as a power cut would, for what the server can tell. */
  async kill(): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
