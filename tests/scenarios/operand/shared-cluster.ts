import { isNotFound } from "@levelset/core";
import type { RunnableHandle } from "@levelset/apiserver/testing";
import { Client } from "@levelset/operator";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { realEnvironment } from "../../support/cluster/environments.ts";
import type { SharedCluster } from "../../support/cluster/scenario.ts";
import type { TestEnvironment } from "../../support/cluster/harness.ts";
import type { TestServer } from "../../support/test-server.ts";

/**
 * A cluster that scenarios share. Operands are cluster-scoped, so before each scenario everything of the previous one
 * is removed: processes that still run after a failure, and its Operands, by force, because they may be stuck.
 */
export function sharedOperandCluster(target: TestServer): SharedCluster {
  let running: RunnableHandle[] = [];
  const open = async (): Promise<TestEnvironment> => {
    const environment = await realEnvironment(target);
    await Promise.all(running.map((one) => one.stop()));
    running = [];
    await clear(new Client({ fetch: environment.fetch, fieldManager: "scenario" }));
    const start = (runnable: Parameters<TestEnvironment["start"]>[0]): RunnableHandle => {
      const started = environment.start(runnable);
      running.push(started);
      return started;
    };
    return { ...environment, start };
  };
  return { open, [Symbol.asyncDispose]: () => target[Symbol.asyncDispose]() };
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
