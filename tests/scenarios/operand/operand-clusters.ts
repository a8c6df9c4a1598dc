import { isNotFound } from "@levelset/core";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import type { Client } from "@levelset/operator";
import { ServerCluster } from "../../support/cluster/server-cluster.ts";
import type { ClusterSource } from "../../support/cluster/scenario.ts";
import type { TestServer } from "../../support/test-server.ts";

/**
 * The scenarios share a server. Operands are cluster-scoped, so those of the previous scenario are removed before each,
 * by force, because they may be stuck.
 */
export function operandClusters(server: TestServer): ClusterSource {
  return {
    open: async () => {
      const cluster = await ServerCluster.connect(server);
      await clear(cluster.client);
      return cluster;
    },
    [Symbol.asyncDispose]: async () => server[Symbol.asyncDispose](),
  };
}

async function clear(client: Client): Promise<void> {
  for (const kind of [Operand, ClusterActiveOperand]) {
    const { items } = await unlessGone(client.list(kind), { items: [] });
    for (const { metadata } of items) {
      const { name } = metadata;
      // Its objects are in the namespace of the scenario and no longer matter.
      await unlessGone(client.delete(kind, { name }, { propagationPolicy: "Background" }), undefined);
      await unlessGone(client.mergePatch(kind, { name }, { metadata: { finalizers: null } }), undefined);
    }
  }
}

/** Returns the value of a promise, or `otherwise` if the object or its kind does not exist. */
async function unlessGone<T, U>(promise: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await promise;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return otherwise;
  }
}
