import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { startDevFleet } from "../../fleet-server/dev-fleet.ts";
import type { DevFleet } from "../../fleet-server/dev-fleet.ts";
import { runShell, testShell } from "../../terminal/shell.fixture.ts";
import type { CommandOptions, CommandOutput } from "../../terminal/shell.fixture.ts";

const CONFIG = `
entities:
  - {kind: Cluster, plural: clusters, required_adapters: [dns, validation]}
  - {kind: NodePool, plural: nodepools, parent_kind: Cluster, on_parent_delete: cascade, required_adapters: [validation]}
  - {kind: Channel, plural: channels}
`;

/** A directory with a running fleet in which tests run commands. */
export class FleetDirectory implements AsyncDisposable {
  readonly cwd: string;
  readonly fleet: DevFleet;

  private constructor(cwd: string, fleet: DevFleet) {
    this.cwd = cwd;
    this.fleet = fleet;
  }

  static async open(): Promise<FleetDirectory> {
    const cwd = await mkdtemp(join(tmpdir(), "levelset-fleet-"));
    await writeFile(join(cwd, "fleet.yaml"), CONFIG);
    const options = { config: "fleet.yaml", memory: true, simulate: false, verbose: false };
    return new FleetDirectory(cwd, await startDevFleet(options, testShell({ cwd }).shell));
  }

  run(...args: readonly string[]): Promise<CommandOutput> {
    return runShell({ cwd: this.cwd }, ...args);
  }

  runWith(options: Omit<CommandOptions, "cwd">, ...args: readonly string[]): Promise<CommandOutput> {
    return runShell({ cwd: this.cwd, ...options }, ...args);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fleet[Symbol.asyncDispose]();
    await rm(this.cwd, { recursive: true });
  }
}

/** A running command in the directory of a fleet. */
export class RunningCommand {
  readonly ended: Promise<CommandOutput>;
  readonly #changed: (() => void)[] = [];
  #output: CommandOutput = { stdout: "", stderr: "", code: 0 };

  constructor(
    directory: FleetDirectory,
    args: readonly string[],
    options: Pick<CommandOptions, "clock" | "signal"> = {},
  ) {
    const onOutput = (output: CommandOutput): void => {
      this.#output = output;
      for (const notify of this.#changed.splice(0)) notify();
    };
    this.ended = directory.runWith({ onOutput, ...options }, ...args);
    this.ended.catch(() => {}); // awaited by the test
  }

  /** Resolves when the command has printed a text. */
  async prints(text: string): Promise<void> {
    while (!(this.#output.stdout + this.#output.stderr).includes(text)) {
      const next = new Promise<void>((resolve) => void this.#changed.push(resolve));
      await Promise.race([
        next,
        this.ended.then(() => expect(this.#output.stdout + this.#output.stderr).toContain(text)),
      ]);
    }
  }
}
