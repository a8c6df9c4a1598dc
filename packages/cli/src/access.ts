import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { inClusterAccess, loadKubeconfig } from "@levelset/operator";
import type { ClusterAccess } from "@levelset/operator";
import { KUBECONFIG_PATH } from "./kubeconfig-file.ts";
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

/** The cluster that a question is about, and the file that led there if nobody named it. */
export interface AskedCluster {
  readonly access: ClusterAccess;
  readonly found?: string;
}

/**
 * The same for commands that only ask. Where nothing is named, a `levelset dev` or `levelset apiserver` that was started in this
 * directory comes first: whoever has one running asks about it.
 */
export async function findAskedCluster(
  shell: Shell,
  options: { readonly kubeconfig?: string; readonly context?: string },
): Promise<AskedCluster> {
  const found = resolve(shell.cwd, KUBECONFIG_PATH);
  if (isClusterNamed(shell, options) || !existsSync(found)) return { access: await findCluster(shell, options) };
  return { access: await findCluster(shell, { kubeconfig: found }), found: KUBECONFIG_PATH };
}

/** Whether somebody said which cluster they mean. */
export function isClusterNamed(
  shell: Shell,
  options: { readonly kubeconfig?: string; readonly context?: string },
): boolean {
  const { kubeconfig, context } = options;
  return kubeconfig !== undefined || context !== undefined || (shell.env["KUBECONFIG"] ?? "") !== "";
}
