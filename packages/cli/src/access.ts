import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { inClusterAccess, loadKubeconfig } from "@levelset/operator";
import type { ClusterAccess } from "@levelset/operator";
import { KUBECONFIG_PATH } from "./kubeconfig-file.ts";
import type { Shell } from "./shell.ts";

/** Which kubeconfig, and which context of it, if not those of the environment. */
interface ClusterChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** The cluster that a command is about: `--kubeconfig`, else KUBECONFIG (several files are merged), else the pod that we run in, else ~/.kube/config. */
export async function findCluster(shell: Shell, choice: ClusterChoice): Promise<ClusterAccess> {
  const { env } = shell;
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  const isInPod = host !== undefined && port !== undefined && !isFileNamed(shell, choice);
  if (isInPod) return inClusterAccess({ host, port });
  const files = kubeconfigFiles(shell, choice);
  // A single file must be there; of several, one.
  return loadKubeconfig(files.length === 1 ? (files[0] ?? "") : files, { context: choice.context, env });
}

/** The kubeconfigs that lead to a cluster, absolute; where we run in a pod there need not be any. */
export function kubeconfigFiles({ env, cwd }: Shell, { kubeconfig }: ClusterChoice): readonly string[] {
  if (kubeconfig !== undefined) return [resolve(cwd, kubeconfig)];
  const listed = env["KUBECONFIG"]?.split(delimiter).filter((path) => path !== "") ?? [];
  if (listed.length > 0) return listed.map((path) => resolve(cwd, path));
  return [join(env["HOME"] ?? homedir(), ".kube", "config")];
}

function isFileNamed({ env }: Shell, { kubeconfig }: ClusterChoice): boolean {
  return kubeconfig !== undefined || (env["KUBECONFIG"]?.split(delimiter).some((path) => path !== "") ?? false);
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
export async function findAskedCluster(shell: Shell, choice: ClusterChoice): Promise<AskedCluster> {
  const found = resolve(shell.cwd, KUBECONFIG_PATH);
  if (isClusterNamed(shell, choice) || !existsSync(found)) return { access: await findCluster(shell, choice) };
  return { access: await findCluster(shell, { kubeconfig: found }), found: KUBECONFIG_PATH };
}

/** Whether somebody said which cluster they mean. */
export function isClusterNamed(shell: Shell, choice: ClusterChoice): boolean {
  return choice.context !== undefined || isFileNamed(shell, choice);
}
