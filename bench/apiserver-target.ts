import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { startCluster } from "../tools/envtest/index.ts";
import type { FoundAssets } from "../tools/envtest/index.ts";
import type { Reachable } from "./apiserver-client.ts";

/** What the process of one of our servers tells the benchmark. */
export type ChildAnswer =
  | ({ readonly kind: "listening" } & Reachable)
  | { readonly kind: "memory"; readonly rssBytes: number }
  | { readonly kind: "took"; readonly ms: number };

/** A server that is measured, in processes of its own. */
export interface BenchTarget extends Reachable, AsyncDisposable {
  /** Resident memory of all its processes; of ours after a garbage collection. */
  rssMb(): Promise<number>;
}

const CHILD = fileURLToPath(new URL("apiserver-child.mjs", import.meta.url));
const MEGABYTE = 1024 * 1024;

/** Starts one of our servers; durable when a place for its data is given. */
export async function startOurs(data?: string): Promise<BenchTarget> {
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

/** Milliseconds from creating a server until its first answer, in a fresh process that has imported it. */
export async function startInProcess(): Promise<number> {
  const child = startChild(["start"]);
  const ended = once(child, "exit");
  const { ms } = await nextAnswer(child, "took");
  await ended;
  return ms;
}

/** Starts kube-apiserver with etcd, which waits for the disk with every write or not at all. */
export async function startReal(assets: FoundAssets, fsync = false): Promise<BenchTarget> {
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

/** Without our condition for sources, so that it runs what was built. */
function startChild(args: readonly string[]): ChildProcess {
  return fork(CHILD, args, { execArgv: ["--expose-gc"], stdio: "inherit" });
}

async function nextAnswer<K extends ChildAnswer["kind"]>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<ChildAnswer, { kind: K }>> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the server ended with code ${String(code)}`);
  });
  const [answer] = (await Promise.race([once(child, "message"), ended])) as [ChildAnswer];
  if (answer.kind !== kind) throw new Error(`the server said ${answer.kind} instead of ${kind}`);
  // Its kind was compared just now.
  return answer as Extract<ChildAnswer, { kind: K }>;
}

/** What the system says about the memory of a process, in MB: what is resident now, or what was at most. */
export async function memoryOf(pid: number, field: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "mu").exec(status)?.[1] ?? Number.NaN) / 1024;
}
