import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { inClusterAccess, loadKubeconfig } from "@levelset/operator";
import type { ClusterAccess } from "@levelset/operator";
import type { Shell } from "./shell.ts";

/** The cluster that a command is about: `--kubeconfig`, else KUBECONFIG (several files are merged), else the pod that we run in, else ~/.kube/config. */
export async function findCluster(
  shell: Shell,
  options: { readonly kubeconfig?: string; readonly context?: string },
): Promise<ClusterAccess> {
  const { env, cwd } = shell;
  const { context } = options;
  if (options.kubeconfig !== undefined) {
    return loadKubeconfig(resolve(cwd, options.kubeconfig), { context, env });
  }
  const listed = env["KUBECONFIG"]?.split(delimiter).filter((path) => path !== "") ?? [];
  if (listed.length > 0) {
    const paths = listed.map((path) => resolve(cwd, path));
    return loadKubeconfig(paths, { context, env });
  }
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (host !== undefined && port !== undefined) return inClusterAccess({ host, port });
  return loadKubeconfig(join(env["HOME"] ?? homedir(), ".kube", "config"), { context, env });
}
