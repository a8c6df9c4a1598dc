import { accessSync, constants, globSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, test } from "vitest";
import { TestProcess } from "./process.ts";
import type { ProcessOptions } from "./process.ts";

/** Where Debian puts servers. Its RabbitMQ on the PATH is a wrapper that runs only as a user of its own: the real one is first. */
const MORE_FOLDERS = [
  "/usr/lib/rabbitmq/bin",
  "/usr/sbin",
  ...globSync("/usr/lib/postgresql/*/bin").toSorted().toReversed(),
];

/** A program's path; undefined where it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...MORE_FOLDERS, ...(process.env["PATH"] ?? "").split(delimiter)];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Defines a suite that needs an installed server. Where it is missing, one line says so and the suite counts as skipped. */
export function onServer(
  suite: string,
  needs: { readonly programs: readonly string[]; readonly debianPackage: string },
  define: () => void,
): void {
  const missing = needs.programs.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return define();
  console.warn(`${suite}: needs ${missing.join(" and ")}. Hint: apt-get install ${needs.debianPackage}`);
  describe(suite, () => {
    test.skip(`needs the Debian package ${needs.debianPackage}`, () => {});
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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // absent, or not ours to run
  }
}
