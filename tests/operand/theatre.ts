import { isNotFound } from "@levelset/core";
import type { Running } from "@levelset/apiserver/testing";
import { Client } from "@levelset/operator";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { realPlace } from "../engine/place.ts";
import type { Theatre } from "../engine/scenario.ts";
import type { Place } from "../engine/stage.ts";
import type { Target } from "../support/target.ts";

/**
 * A cluster that scenarios share. Operands live in no namespace, so before each scenario everything of the one before is taken away:
 * what still runs because it failed, and its Operands, by force, for they may be stuck.
 */
export function operandTheatre(target: Target): Theatre {
  let running: Running[] = [];
  const open = async (): Promise<Place> => {
    const place = await realPlace(target);
    await Promise.all(running.map((one) => one.stop()));
    running = [];
    await clear(new Client({ fetch: place.fetch, fieldManager: "scenario" }));
    const start = (runnable: Parameters<Place["start"]>[0]): Running => {
      const started = place.start(runnable);
      running.push(started);
      return started;
    };
    return { ...place, start };
  };
  return { open, [Symbol.asyncDispose]: () => target[Symbol.asyncDispose]() };
}

async function clear(client: Client): Promise<void> {
  for (const kind of [Operand, ClusterActiveOperand]) {
    const { items } = await unlessGone(client.list(kind), { items: [] });
    for (const { metadata } of items) {
      const { name } = metadata;
      // What it owns lives in the scenario's namespace, and is of no concern any more.
      await unlessGone(client.delete(kind, { name }, { propagation: "Background" }), undefined);
      await unlessGone(client.mergePatch(kind, { name }, { metadata: { finalizers: null } }), undefined);
    }
  }
}

/** What is promised, or something else where the object, or its whole kind, is not there. */
async function unlessGone<T, U>(promise: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await promise;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return otherwise;
  }
}
