import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { startCluster } from "../tools/envtest/index.ts";
import type { FoundAssets } from "../tools/envtest/index.ts";
import type { ServerAccess } from "./apiserver-client.ts";

/** Messages from a server process to the benchmark. */
export type ChildMessage =
  | ({ readonly kind: "listening" } & ServerAccess)
  | { readonly kind: "memory"; readonly rssBytes: number }
  | { readonly kind: "took"; readonly ms: number };

/** A measured server in its own processes. */
export interface BenchServer extends ServerAccess, AsyncDisposable {
  /** Returns the resident memory of all its processes; for the embedded server after garbage collection. */
  rssMb(): Promise<number>;
}

const CHILD = fileURLToPath(new URL("apiserver-process.mjs", import.meta.url));
const MEGABYTE = 1024 * 1024;

/** Starts the embedded server; with `data`, its objects are stored in that file. */
export async function startEmbedded(data?: string): Promise<BenchServer> {
  const child = startChild(["serve", ...(data === undefined ? [] : [data])]);
  const access = await nextAnswer(child, "listening");
  return {
    ...access,
    rssMb: async () => {
      child.send("memory");
      return (await nextAnswer(child, "memory")).rssBytes / MEGABYTE;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

/** Measures the milliseconds from creating a server until its first response, in a new process. */
export async function measureInProcessStart(): Promise<number> {
  const child = startChild(["start"]);
  const ended = once(child, "exit");
  const { ms } = await nextAnswer(child, "took");
  await ended;
  return ms;
}

/** Starts kube-apiserver with etcd; `fsync` makes etcd sync every write to disk. */
export async function startKubeApiserver(assets: FoundAssets, fsync = false): Promise<BenchServer> {
  const pids: number[] = [];
  const cluster = await startCluster({
    assets,
    fsync,
    log: (message, { pid }) => {
      if (message === "process started") pids.push(Number(pid));
    },
  });
  return {
    url: cluster.url,
    ca: cluster.ca,
    token: cluster.token,
    rssMb: async () => {
      const sizes = await Promise.all(pids.map((pid) => memoryOf(pid, "VmRSS")));
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    [Symbol.asyncDispose]: () => cluster.stop(),
  };
}

/** Starts without the `levelset-source` condition, so that the built packages run. */
function startChild(args: readonly string[]): ChildProcess {
  return fork(CHILD, args, { execArgv: ["--expose-gc"], stdio: "inherit" });
}

async function nextAnswer<K extends ChildMessage["kind"]>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<ChildMessage, { kind: K }>> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the server exited with code ${String(code)}`);
  });
  const [result] = (await Promise.race([once(child, "message"), ended])) as [ChildMessage];
  if (result.kind !== kind) throw new Error(`the server sent ${result.kind} instead of ${kind}`);
  // Its kind was compared just now.
  return result as Extract<ChildMessage, { kind: K }>;
}

/** Returns the current or peak resident memory of a process in MB, as the system reports it. */
export async function memoryOf(pid: number, field: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "mu").exec(status)?.[1] ?? Number.NaN) / 1024;
}
