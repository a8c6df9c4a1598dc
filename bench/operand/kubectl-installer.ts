import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Installer } from "./installer.ts";
import type { Manifest } from "./manifest-set.ts";

const run = promisify(execFile);
const TIMEOUT_MS = 120_000;

/** Options of kubectl. */
export interface KubectlOptions {
  readonly kubectl: string;
  readonly kubeconfig: string;
  /** Directory for files and caches. */
  readonly directory: string;
  readonly args: readonly string[];
}

/** Installs by `kubectl apply --server-side`. */
export class KubectlInstaller implements Installer {
  readonly #options: KubectlOptions;

  constructor(options: KubectlOptions) {
    this.#options = options;
  }

  async apply(set: readonly Manifest[]): Promise<number> {
    const { kubectl, kubeconfig, directory, args } = this.#options;
    const file = join(directory, "set.yaml");
    await writeFile(file, set.map((object) => JSON.stringify(object)).join("\n---\n"));
    const common = ["--kubeconfig", kubeconfig, "--cache-dir", join(directory, "cache")];
    const start = performance.now();
    await run(kubectl, ["apply", "--server-side", ...args, "-f", file, ...common], {
      env: { HOME: directory, KUBECTL_APPLYSET: "true" },
      timeout: TIMEOUT_MS,
      maxBuffer: 16 * 1024 * 1024,
    });
    return performance.now() - start;
  }

  /** Does nothing: only the installed objects remain. */
  async [Symbol.asyncDispose](): Promise<void> {}
}
