import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { withTimeout } from "./with-timeout.ts";

/** A kubectl binary. */
export interface KubectlBinary {
  readonly path: string;
  /** Its minor version, such as `33`; 0 if its name does not contain it. */
  readonly minor: number;
}

/** Older versions are outside of the supported version skew. */
const OLDEST_MINOR = 29;
const DEADLINE_MS = 60_000;

/**
 * Returns all kubectl binaries, oldest first: `kubectl.1.NN` next to a `kubectl` on the PATH, and those built by
 * `tools/envtest`.
 */
export function findKubectls(): readonly KubectlBinary[] {
  const onPath = (process.env["PATH"] ?? "").split(delimiter);
  const folders = [...onPath, "/usr/lib/google-cloud-sdk/bin"].filter((folder) => existsSync(folder));
  const named = [...new Set(folders)].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => {
      const minor = Number(/^kubectl\.1\.(\d+)$/u.exec(name)?.[1] ?? 0);
      return minor >= OLDEST_MINOR ? [{ path: join(folder, name), minor }] : [];
    }),
  );
  const plain = onPath
    .map((folder) => ({ path: join(folder, "kubectl"), minor: 0 }))
    .filter(({ path }) => existsSync(path));
  const found = [...(named.length > 0 ? named : plain.slice(0, 1)), ...built()];
  return found.toSorted((left, right) => left.minor - right.minor);
}

function built(): readonly KubectlBinary[] {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "levelset/envtest");
  const releases = existsSync(cache) ? readdirSync(cache) : [];
  return releases
    .map((release) => ({
      path: join(cache, release, "bin/kubectl"),
      minor: Number(/^1\.(\d+)\./u.exec(release)?.[1] ?? 0),
    }))
    .filter(({ path }) => existsSync(path));
}

/** Exit code and output of a kubectl run. */
export interface KubectlResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running kubectl. */
export class RunningKubectl {
  readonly child: ChildProcess;
  readonly args: readonly string[];
  stdout = "";
  stderr = "";
  readonly #closed: Promise<unknown>;

  constructor(options: {
    binary: string;
    args: readonly string[];
    env: Readonly<Record<string, string>>;
    cwd: string;
  }) {
    this.args = options.args;
    this.child = spawn(options.binary, [...options.args], { env: options.env, cwd: options.cwd });
    // A character may be split between two chunks.
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.setEncoding("utf8");
    this.child.stdout?.on("data", (piece: string) => (this.stdout += piece));
    this.child.stderr?.on("data", (piece: string) => (this.stderr += piece));
    this.#closed = once(this.child, "close");
  }

  /** Writes the input and waits for the exit. */
  async wait(input = ""): Promise<KubectlResult> {
    // kubectl may exit before it has read all input.
    this.child.stdin?.on("error", () => {});
    this.child.stdin?.end(input);
    try {
      await withTimeout(`kubectl ${this.args.join(" ")}`, this.#closed, DEADLINE_MS);
    } finally {
      this.child.kill("SIGKILL");
    }
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  /** Kills kubectl and waits for its exit. */
  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#closed;
  }
}
