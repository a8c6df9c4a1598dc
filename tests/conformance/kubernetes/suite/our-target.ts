import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createApiServer, listen } from "@levelset/apiserver";
import { scratch } from "../../../support/scratch.ts";
import { workDirectory } from "./target.ts";
import type { ConformanceTarget } from "./target.ts";

/** The embedded server on a TLS socket. */
export async function ourTarget(): Promise<ConformanceTarget> {
  const files = await scratch();
  // No node: as beside a real control plane without kubelets, pods are made and run only when a case says so.
  const server = createApiServer({ controllers: { serviceAccounts: true, workloads: { nodes: 0 } } });
  const listening = await listen(server);
  const kubeconfig = join(files.path, "kubeconfig");
  await writeFile(kubeconfig, listening.kubeconfig(), { mode: 0o600 });
  const stop = async (): Promise<void> => {
    await listening.close();
    server.close();
    await files[Symbol.asyncDispose]();
  };
  return {
    name: "ours",
    access: listening,
    kubeconfig,
    directory: await workDirectory(files.path),
    [Symbol.asyncDispose]: stop,
  };
}
