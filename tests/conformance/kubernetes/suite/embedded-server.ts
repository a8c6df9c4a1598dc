import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createApiServer, listen } from "@levelset/apiserver";
import { tempDirectory } from "../../../support/temp-directory.ts";
import { workDirectory } from "./conformance-server.ts";
import type { ConformanceServer } from "./conformance-server.ts";

/** The embedded server on a TLS socket. */
export async function startEmbeddedConformanceServer(): Promise<ConformanceServer> {
  const files = await tempDirectory();
  // No nodes: as in a control plane without kubelets, pods run only if a case sets the status.
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
