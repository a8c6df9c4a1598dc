import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { InputError } from "@levelset/core";
import { inClusterAccess, loadKubeconfig } from "@levelset/operator";
import type { ClusterAccess } from "@levelset/operator";
import type { Shell } from "./shell.ts";

/** The cluster that a command is about: `--kubeconfig`, else KUBECONFIG, else the pod that we run in, else ~/.kube/config. */
export async function findCluster(
  shell: Shell,
  options: { readonly kubeconfig?: string; readonly context?: string },
): Promise<ClusterAccess> {
  const { env } = shell;
  if (options.kubeconfig !== undefined) return loadKubeconfig(resolve(shell.cwd, options.kubeconfig), options.context);
  const listed = env["KUBECONFIG"]?.split(delimiter).filter((path) => path !== "") ?? [];
  const [first, ...others] = listed;
  if (others.length > 0) {
    throw new InputError("KUBECONFIG names several files, which are not merged yet", {
      hint: "name one file with --kubeconfig",
    });
  }
  if (first !== undefined) return loadKubeconfig(resolve(shell.cwd, first), options.context);
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (host !== undefined && port !== undefined) return inClusterAccess({ host, port });
  return loadKubeconfig(join(env["HOME"] ?? homedir(), ".kube", "config"), options.context);
}
