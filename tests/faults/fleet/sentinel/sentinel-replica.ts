import { fileURLToPath } from "node:url";
import type { StoreConfig } from "@levelset/fleet";
import { TestProcess } from "../../../support/test-process.ts";
import { ROOT } from "../../../support/repository.ts";

const PROGRAM = fileURLToPath(new URL("sentinel-process.ts", import.meta.url));

/** A Sentinel in a separate process. */
export class SentinelReplica implements AsyncDisposable {
  readonly #process: TestProcess;

  private constructor(running: TestProcess) {
    this.#process = running;
  }

  static async start(config: StoreConfig): Promise<SentinelReplica> {
    const args = ["-C", "levelset-source", PROGRAM, JSON.stringify(config)];
    const running = new TestProcess(process.execPath, { args, cwd: ROOT });
    await running.untilOutput(/running/u);
    return new SentinelReplica(running);
  }

  /** All sent pulses: `id generation`. */
  get pulses(): readonly string[] {
    return [...this.#process.output.matchAll(/^pulse (?<pulse>.+)$/gmu)].map(({ groups }) => groups?.["pulse"] ?? "");
  }

  /** Kills the process. Its claims stay leased. */
  async kill(): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
