import { isNotFound, keyOf } from "@levelset/core";
import type { Kind, ObjectOf } from "@levelset/core";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Informer } from "../cache/index.ts";
import { Client } from "../client/index.ts";

/** What another client does about an object. */
export type ForeignAction = { readonly patch: object } | "delete" | undefined;

/** Another client of a cluster that reacts to every change of a kind. Its own requests are not counted among those of the operator. */
export interface ForeignWriter {
  /** How often it has written. */
  readonly writes: number;
  /** Lets it write no more. */
  stop(): void;
}

/** The name under which it writes. */
export const FOREIGN_MANAGER = "foreign-controller";
/** How long it takes to react: 50 rounds a second. */
const REACTION_MS = 20;

/** Starts one. `react` says what it does about an object that it sees. */
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
      if (action === "delete") await client.delete(kind, keyOf(object));
      else await client.mergePatch(kind, keyOf(object), action.patch);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  };
  cluster.run({
    name: "foreign writer",
    start: async ({ clock, random, logger, signal }) => {
      const informer = new Informer({ client, kind, clock, random, logger });
      informer.subscribe((change) => {
        if (change.kind !== "removed") clock.after(REACTION_MS, () => void act(change.object));
      });
      await informer.run(signal);
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
