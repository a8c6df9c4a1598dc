import { Client, connect, Discovery } from "@levelset/operator";
import type { Command } from "commander";
import { explainNoAnswer, findCluster } from "./access.ts";
import type { AskedCluster } from "./access.ts";
import { explainRefusal } from "./refusal.ts";
import type { Shell } from "./shell.ts";

/** Flags that say which cluster a command is about. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** A connection to the cluster that a command is about. */
export interface ClusterSession {
  readonly asked: AskedCluster;
  readonly client: Client;
  readonly discovery: Discovery;
  /** Aborts when somebody asks the command to stop. */
  readonly signal: AbortSignal;
}

/** Gives a command the flags that say which cluster it is about. */
export function addClusterFlags(command: Command): Command {
  return command
    .option(
      "--kubeconfig <file>",
      "the cluster (default: KUBECONFIG, the levelset dev of this directory, or ~/.kube/config)",
    )
    .option("--context <name>", "a context of the kubeconfig other than the current one");
}

/** The same flags again, for a command that somebody is told to try: on another cluster it would be of no use. */
export function clusterWords({ kubeconfig, context }: ClusterFlags): string {
  const words = Object.entries({ kubeconfig, context }).flatMap(([name, value]) =>
    value === undefined
      ? []
      : ` --${name} ${/^[\w./:@~-]+$/u.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`}`,
  );
  return words.join("");
}

/** Connects to a cluster for as long as the work takes. What the cluster refuses is explained. */
export async function withCluster<Out>(
  shell: Shell,
  flags: ClusterFlags,
  work: (session: ClusterSession) => Promise<Out>,
): Promise<Out> {
  const asked = await findCluster(shell, flags);
  const { access } = asked;
  const signal = shell.signal();
  const connection = connect(access);
  const client = new Client({ fetch: connection.fetch, fieldManager: "levelset-cli" });
  try {
    return await work({ asked, client, discovery: new Discovery(client), signal });
  } catch (error) {
    throw explainRefusal(explainNoAnswer(error, asked, shell), { context: access.context });
  } finally {
    await connection.close();
  }
}

/** Which cluster is asked, for people. */
export function describeCluster({ access, found }: AskedCluster, namespace?: string): string {
  const which = found === undefined ? `context ${access.context}` : found;
  return `${which}, ${access.server}${namespace === undefined ? "" : `, namespace ${namespace}`}`;
}
