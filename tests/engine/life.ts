import type { Kind, Runnable } from "@levelset/core";
import type { FaultyFetch } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { Running, TestCluster, TestClusterOptions } from "@levelset/apiserver/testing";
import { expect } from "vitest";
import { difference, picture, SAME } from "./picture.ts";

/** Something that people do, and what must have come of it once the operator has done its part. */
export interface Act {
  readonly act: (cluster: TestCluster) => Promise<unknown>;
  readonly reached: (cluster: TestCluster) => Promise<void>;
}

/** The life of an operator's objects, from the cluster that they are born into to their end. */
export interface Life {
  readonly operator: Runnable;
  readonly cluster?: TestClusterOptions;
  /** The kinds of all objects that there may be, to compare ends by. */
  readonly kinds: readonly Kind[];
  readonly acts: Readonly<Record<string, Act>>;
}

/** An act of a life, with the cluster as it was before it. */
export interface Chapter {
  /** How many requests and how many events of watches pass when nothing goes wrong. */
  readonly requests: number;
  readonly events: number;
  /** Plays the act while something goes wrong, `when`, and expects the end that it has without. Whoever crashes is replaced. */
  readonly check: (when: string, trouble: (faults: FaultyFetch) => void, seed?: number) => Promise<void>;
}

/** Virtual time after which every retry that a single fault causes is over, and every simulated workload is ready. */
const CALM_MS = 30_000;
/** More lives than any trouble takes. */
const ROUNDS_MAX = 20;

/**
 * Lives a life once without trouble, and hands each of its acts to `tell`, to be played again in as many ways as one likes: always
 * from the settled state before it, with an operator that has just started.
 */
export async function chapters(life: Life, tell: (chapter: Chapter) => Promise<void>): Promise<void> {
  await using cluster = await testCluster(life.cluster);
  for (const kind of life.operator.kinds ?? []) await cluster.install(kind);
  const operator = cluster.run(life.operator);
  for (const [name, act] of Object.entries(life.acts)) {
    await using before = await cluster.fork();
    await act.act(cluster);
    await calm(cluster, life.operator, operator);
    await act.reached(cluster);
    const counted = await replay(life, act, before, countEvents);
    const check: Chapter["check"] = async (when, trouble, seed) => {
      try {
        const replayed = await replay(life, act, before, trouble, seed);
        expect(difference(counted.end, replayed.end)).toEqual(SAME);
      } catch (error) {
        throw new Error(`${name} ended otherwise with trouble at ${when}`, { cause: error });
      }
    };
    await tell({ requests: counted.requests, events: counted.events(), check });
  }
}

/** What a replay came to. */
interface Replay {
  readonly end: readonly string[];
  readonly requests: number;
}

async function replay<T>(
  life: Life,
  act: Act,
  before: TestCluster,
  trouble: (faults: FaultyFetch) => T,
  seed = 1,
): Promise<Replay & { readonly events: T }> {
  await using cluster = await before.fork({ seed });
  const events = trouble(cluster.faults);
  const operator = cluster.run(life.operator);
  await act.act(cluster);
  await calm(cluster, life.operator, operator);
  await act.reached(cluster);
  const { length: requests } = cluster.requests();
  return { end: await picture(life.kinds, (kind) => cluster.list(kind)), requests, events };
}

function countEvents(faults: FaultyFetch): () => number {
  let count = 0;
  // A filter that nothing passes sees everything.
  faults.failNthEvent(1, { kind: "drop" }, () => {
    count++;
    return false;
  });
  return () => count;
}

/** Lets everything happen that is due, and puts a new process in the place of one that died. */
async function calm(cluster: TestCluster, operator: Runnable, first: Running): Promise<void> {
  let running = first;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await cluster.rest();
    await cluster.clock.advance(CALM_MS);
    await cluster.rest();
    if (!cluster.faults.isCrashed) return;
    await running.stop();
    cluster.faults.revive();
    running = cluster.run(operator);
  }
  throw new Error("it crashes again and again");
}
