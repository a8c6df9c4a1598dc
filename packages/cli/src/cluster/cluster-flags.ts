import type { Command } from "commander";

/** Flags that select a cluster. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Adds the flags that select the cluster. */
export function addClusterFlags(command: Command): Command {
  return command
    .option("--kubeconfig <file>", "kubeconfig file (default: KUBECONFIG, .levelset, ~/.kube/config)")
    .option("--context <name>", "kubeconfig context (default: the current context)");
}

/** Formats the cluster flags for suggested commands, so that these use the same cluster. */
export function clusterFlagsText({ kubeconfig, context }: ClusterFlags): string {
  const texts = Object.entries({ kubeconfig, context }).flatMap(([name, value]) =>
    value === undefined
      ? []
      : ` --${name} ${/^[\w./:@~-]+$/u.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`}`,
  );
  return texts.join("");
}
