import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServerAccess } from "./apiserver-client.ts";
import { memoryOf } from "./apiserver-processes.ts";

/** The built `levelset apiserver` in its own process. */
export interface RunningCommand extends ServerAccess, AsyncDisposable {
  /** Time from process start until the server is ready. */
  readonly readyMs: number;
  /** Returns its peak memory. */
  peakMb(): Promise<number>;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

const MAIN = fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url));

/** Starts the command as its launcher does, and waits until /readyz answers. */
export async function startCommand(directory: string): Promise<RunningCommand> {
  const kubeconfig = join(directory, "kubeconfig");
  const start = performance.now();
  const code = `require("node:module").enableCompileCache(); import(${JSON.stringify(MAIN)}).then((m) => m.main(process.argv.slice(1)))`;
  const child = spawn(process.execPath, ["-e", code, "apiserver", "--kubeconfig", kubeconfig], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let output = "";
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes("Ctrl-C")) break;
  }
  const url = /https:\/\/\S+/u.exec(output)?.[0];
  if (url === undefined) throw new Error(`the server did not start: ${output}`);
  const config = JSON.parse(await readFile(kubeconfig, "utf8")) as Kubeconfig;
  const ca = Buffer.from(config.clusters[0]?.cluster["certificate-authority-data"] ?? "", "base64").toString("utf8");
  await once(request(`${url}/readyz`, { ca, agent: false }).end(), "response");
  return {
    url,
    ca,
    token: config.users[0]?.user["token"] ?? "",
    readyMs: performance.now() - start,
    peakMb: () => memoryOf(child.pid ?? 0, "VmHWM"),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
