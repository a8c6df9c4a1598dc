import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
