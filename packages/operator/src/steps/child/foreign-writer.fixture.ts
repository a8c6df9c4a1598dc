import { isNotFound, objectKeyOf } from "@levelset/core";
import type { Kind, ObjectOf } from "@levelset/core";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Cache } from "../../cache/index.ts";
import { Client } from "../../client/index.ts";

/** What another client does with an object. */
export type ForeignAction = { readonly patch: object } | "delete" | undefined;

/** Another client that reacts to every change of a kind. Its requests are not counted as the operator's. */
export interface ForeignWriter {
  /** Number of its writes. */
  readonly writes: number;
  /** Stops writing. */
  stop(): void;
}

/** Its field manager. */
export const FOREIGN_MANAGER = "foreign-controller";
/** Reaction time: 50 rounds a second. */
const REACTION_MS = 20;

/** Starts a foreign writer. `react` returns what it does with an object. */
export function foreignWriter<K extends Kind>(
  cluster: TestCluster,
  kind: K,
  react: (object: ObjectOf<K>) => ForeignAction,
): ForeignWriter {
  const client = new Client({ fetch: cluster.fetch, fieldManager: FOREIGN_MANAGER });
  let writes = 0;
  let isStopped = false;
  const act = async (object: ObjectOf<K>): Promise<void> => {
    const action = isStopped ? undefined : react(object);
    if (action === undefined) return;
    writes += 1;
    try {
      if (action === "delete") await client.delete(kind, objectKeyOf(object));
      else await client.mergePatch(kind, objectKeyOf(object), action.patch);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  };
  cluster.run({
    name: "foreign writer",
    start: async ({ clock, random, logger, signal }) => {
      const cache = new Cache({ fetch: cluster.fetch, clock, random, logger });
      cache.watch(kind).subscribe((change) => {
        if (change.kind !== "removed") clock.after(REACTION_MS, () => void act(change.object));
      });
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await cache.close();
    },
  });
  return {
    get writes() {
      return writes;
    },
    stop: () => {
      isStopped = true;
    },
  };
}
