import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { TransportError } from "@levelset/core";
import { inClusterConfig, loadKubeconfig } from "@levelset/operator";
import type { ClusterConfig } from "@levelset/operator";
import { KUBECONFIG_PATH } from "./kubeconfig-file.ts";
import { checkServerRunning, serverUnreachable } from "./server-record.ts";
import type { Shell } from "../terminal/index.ts";

/** Explicit kubeconfig and context. */
interface ClusterChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** The cluster that a command uses. */
export interface SelectedCluster {
  readonly access: ClusterConfig;
  /** Kubeconfig of this directory's server, if it was selected by default. */
  readonly foundIn?: string;
}

/**
 * Returns the cluster that a command uses: that of `--kubeconfig`, `--context` or KUBECONFIG (several files are
 * merged), else the server of this directory (`levelset dev`, `levelset apiserver`). If no such server has ever run, it
 * is the cluster of the pod, or that of ~/.kube/config. Throws `ServerNotRunning` if the server of this directory has
 * ended: commands never fall back to another cluster.
 */
export async function findCluster(shell: Shell, choice: ClusterChoice): Promise<SelectedCluster> {
  const { env, cwd } = shell;
  if (isClusterExplicit(shell, choice)) return { access: await kubeconfigCluster(shell, choice) };
  const own = resolve(cwd, KUBECONFIG_PATH);
  checkServerRunning(own, cwd);
  if (existsSync(own)) return { access: await loadKubeconfig(own, { env }), foundIn: KUBECONFIG_PATH };
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (host !== undefined && port !== undefined) return { access: await inClusterConfig({ host, port }) };
  return { access: await kubeconfigCluster(shell, choice) };
}

async function kubeconfigCluster(shell: Shell, choice: ClusterChoice): Promise<ClusterConfig> {
  const { env, cwd } = shell;
  const files = kubeconfigFiles(shell, choice);
  // Missing files are ignored if there are several, so another file would select the cluster.
  for (const file of files) checkServerRunning(file, cwd);
  // A single file must exist; of several files, at least one.
  return loadKubeconfig(files.length === 1 ? (files[0] ?? "") : files, { context: choice.context, env });
}

/** Returns the absolute paths of the kubeconfig files; may be empty in a pod. */
export function kubeconfigFiles({ env, cwd }: Shell, { kubeconfig }: ClusterChoice): readonly string[] {
  if (kubeconfig !== undefined) return [resolve(cwd, kubeconfig)];
  const files = kubeconfigVariable(env);
  if (files.length > 0) return files.map((path) => resolve(cwd, path));
  return [join(env["HOME"] ?? homedir(), ".kube", "config")];
}

/** Returns the files in KUBECONFIG. */
function kubeconfigVariable(env: Shell["env"]): readonly string[] {
  return env["KUBECONFIG"]?.split(delimiter).filter((path) => path !== "") ?? [];
}

/** Reports whether the cluster was selected by a flag or KUBECONFIG. */
export function isClusterExplicit({ env }: Shell, { kubeconfig, context }: ClusterChoice): boolean {
  return kubeconfig !== undefined || context !== undefined || kubeconfigVariable(env).length > 0;
}

/** Reports whether commands without flags use this kubeconfig. */
export function isFoundByDefault(shell: Shell, kubeconfig: string): boolean {
  const { env, cwd } = shell;
  const path = resolve(cwd, kubeconfig);
  const [first, ...others] = kubeconfigVariable(env);
  if (first === undefined) return path === resolve(cwd, KUBECONFIG_PATH);
  return others.length === 0 && resolve(cwd, first) === path;
}

/** Converts a connection error of this directory's server to `ServerNotRunning`; returns other errors unchanged. */
export function explainUnreachable(error: unknown, { access, foundIn }: SelectedCluster, { cwd }: Shell): unknown {
  if (foundIn === undefined || !(error instanceof TransportError)) return error;
  return serverUnreachable(resolve(cwd, foundIn), { server: access.server, found: foundIn, cause: error });
}
