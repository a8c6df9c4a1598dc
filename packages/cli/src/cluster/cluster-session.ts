import { realRandom, silentLogger } from "@levelset/core";
import { Cache, Client, connect, Discovery } from "@levelset/operator";
import type { Command } from "commander";
import { explainUnreachable, findCluster } from "./find-cluster.ts";
import type { SelectedCluster } from "./find-cluster.ts";
import { explainRefusal } from "./explain-refusal.ts";
import type { Shell } from "../terminal/index.ts";

/** Flags that select a cluster. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** A connection to the selected cluster. */
export interface ClusterSession {
  readonly cluster: SelectedCluster;
  readonly client: Client;
  /** Watches that end with the command. */
  readonly cache: Cache;
  readonly discovery: Discovery;
  /** Aborts when the command is stopped. */
  readonly signal: AbortSignal;
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

/** Runs `work` with a connection to the cluster. Errors of the cluster become InputErrors with hints. */
export async function withCluster<Out>(
  shell: Shell,
  flags: ClusterFlags,
  work: (session: ClusterSession) => Promise<Out>,
): Promise<Out> {
  const cluster = await findCluster(shell, flags);
  const { access } = cluster;
  const signal = shell.signal();
  const connection = connect(access);
  const { fetch } = connection;
  const client = new Client({ fetch, fieldManager: "levelset-cli" });
  const cache = new Cache({ fetch, clock: shell.clock, random: realRandom, logger: silentLogger });
  try {
    return await work({ cluster, client, cache, discovery: new Discovery(client), signal });
  } catch (error) {
    throw explainRefusal(explainUnreachable(error, cluster, shell), { context: access.context });
  } finally {
    await cache.close();
    await connection.close();
  }
}

/** Describes the selected cluster: context, server and namespace. */
export function describeCluster({ access, foundIn }: SelectedCluster, namespace?: string): string {
  const which = foundIn === undefined ? `context ${access.context}` : foundIn;
  return `${which}, ${access.server}${namespace === undefined ? "" : `, namespace ${namespace}`}`;
}
