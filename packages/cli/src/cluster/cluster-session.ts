import { realRandom, silentLogger } from "@levelset/core";
import { Cache, Client, connect, Discovery } from "@levelset/operator";
import type { ClusterFlags } from "./cluster-flags.ts";
import { explainUnreachable, findCluster } from "./find-cluster.ts";
import type { SelectedCluster } from "./find-cluster.ts";
import { explainRefusal } from "./explain-refusal.ts";
import type { Shell } from "../terminal/index.ts";

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
