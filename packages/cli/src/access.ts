import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { TransportError } from "@levelset/core";
import { inClusterAccess, loadKubeconfig } from "@levelset/operator";
import type { ClusterAccess } from "@levelset/operator";
import { KUBECONFIG_PATH } from "./kubeconfig-file.ts";
import { mustRun, noAnswer } from "./server-memory.ts";
import type { Shell } from "./shell.ts";

/** Which kubeconfig, and which context of it, if not those of the environment. */
interface ClusterChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** The cluster that a command is about. */
export interface AskedCluster {
  readonly access: ClusterAccess;
  /** The kubeconfig of this directory's server, if no cluster was named and a server runs here. */
  readonly found?: string;
}

/**
 * The cluster that a command is about. A cluster is named by `--kubeconfig`, `--context` or KUBECONFIG (several files are merged). If none is named, it
 * is the server of this directory (`levelset dev`, `levelset apiserver`). Only where no such server has ever run, it is the pod's own cluster, or that
 * of ~/.kube/config. Throws `ServerNotRunning` if the server of this directory has ended: no command changes to another cluster by itself.
 */
export async function findCluster(shell: Shell, choice: ClusterChoice): Promise<AskedCluster> {
  const { env, cwd } = shell;
  if (isClusterNamed(shell, choice)) return { access: await namedCluster(shell, choice) };
  const own = resolve(cwd, KUBECONFIG_PATH);
  mustRun(own, cwd);
  if (existsSync(own)) return { access: await loadKubeconfig(own, { env }), found: KUBECONFIG_PATH };
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (host !== undefined && port !== undefined) return { access: await inClusterAccess({ host, port }) };
  return { access: await namedCluster(shell, choice) };
}

async function namedCluster(shell: Shell, choice: ClusterChoice): Promise<ClusterAccess> {
  const { env, cwd } = shell;
  const files = kubeconfigFiles(shell, choice);
  // Of several files the missing ones are ignored, and another one would decide.
  for (const file of files) mustRun(file, cwd);
  // A single file must be there; of several, one.
  return loadKubeconfig(files.length === 1 ? (files[0] ?? "") : files, { context: choice.context, env });
}

/** The kubeconfigs that lead to a cluster, absolute; where we run in a pod there need not be any. */
export function kubeconfigFiles({ env, cwd }: Shell, { kubeconfig }: ClusterChoice): readonly string[] {
  if (kubeconfig !== undefined) return [resolve(cwd, kubeconfig)];
  const listed = kubeconfigVariable(env);
  if (listed.length > 0) return listed.map((path) => resolve(cwd, path));
  return [join(env["HOME"] ?? homedir(), ".kube", "config")];
}

/** The files that KUBECONFIG names. */
function kubeconfigVariable(env: Shell["env"]): readonly string[] {
  return env["KUBECONFIG"]?.split(delimiter).filter((path) => path !== "") ?? [];
}

/** Whether the user said which cluster the command is about. */
export function isClusterNamed({ env }: Shell, { kubeconfig, context }: ClusterChoice): boolean {
  return kubeconfig !== undefined || context !== undefined || kubeconfigVariable(env).length > 0;
}

/** Whether a command without flags is about the cluster of this kubeconfig. */
export function isFoundByDefault(shell: Shell, kubeconfig: string): boolean {
  const { env, cwd } = shell;
  const path = resolve(cwd, kubeconfig);
  const [first, ...others] = kubeconfigVariable(env);
  if (first === undefined) return path === resolve(cwd, KUBECONFIG_PATH);
  return others.length === 0 && resolve(cwd, first) === path;
}

/** A server of this directory that left its kubeconfig behind is not running; other errors stay as they are. */
export function explainNoAnswer(error: unknown, { access, found }: AskedCluster, { cwd }: Shell): unknown {
  if (found === undefined || !(error instanceof TransportError)) return error;
  return noAnswer(resolve(cwd, found), { server: access.server, found, cause: error });
}
