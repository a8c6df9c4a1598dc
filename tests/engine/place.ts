import { Namespace, randomText, realClock, realRandom } from "@levelset/core";
import { faultyFetch } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestClusterOptions } from "@levelset/apiserver/testing";
import { Client, installKind } from "@levelset/operator";
import { session } from "../support/target.ts";
import type { Target } from "../support/target.ts";
import type { Place } from "./stage.ts";

/** How far the virtual clock moves at once while something is expected. */
const TICK_MS = 50;
/** How long a scenario may expect something, in virtual time: beyond every limit that a scenario has. */
const EXPECT_MAX_MS = 600_000;
/** Idle time on a real server shows little more the longer it is. */
const REAL_IDLE_MAX_MS = 3_000;
/** A busy machine may take fifteen times as long as the scenario allows. */
const REAL_PATIENCE = 15;

/** The embedded server in this process, under a virtual clock: every limit is exact. */
export async function virtualPlace(options: TestClusterOptions = {}): Promise<Place> {
  const cluster = await testCluster(options);
  return {
    namespace: "default",
    fetch: cluster.fetch,
    faults: cluster.faults,
    patience: 1,
    now: () => cluster.clock.now(),
    install: (kind) => cluster.install(kind),
    start: (runnable) => cluster.run(runnable),
    expecting: async (promise) => {
      const state = { isSettled: false };
      const settle = (): boolean => (state.isSettled = true);
      promise.then(settle, settle);
      await cluster.rest();
      for (let ms = 0; !state.isSettled && ms < EXPECT_MAX_MS; ms += TICK_MS) {
        await cluster.clock.advance(TICK_MS);
        await cluster.rest();
      }
      return await promise;
    },
    idle: async (ms) => {
      await cluster.clock.advance(ms);
      await cluster.rest();
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

/** A cluster on a socket, in a namespace of its own: limits become time-outs. */
export async function realPlace(target: Target): Promise<Place> {
  const connected = await session(target);
  const { world } = connected;
  const faults = faultyFetch(world.fetch, { clock: realClock });
  const client = new Client({ fetch: world.fetch, fieldManager: "scenario" });
  const namespace = `scenario-${randomText(realRandom, 8, "abcdefghijkmnopqrstuvwxyz")}`;
  await client.create(Namespace, { metadata: { name: namespace } });
  const running: (() => Promise<void>)[] = [];
  return {
    namespace,
    fetch: world.fetch,
    faults,
    patience: REAL_PATIENCE,
    now: () => realClock.now(),
    install: async (kind) => void (await installKind(client, kind, world)),
    start: (runnable) => {
      const abort = new AbortController();
      const ended = runnable.start({ ...world, fetch: faults.fetch, signal: abort.signal });
      ended.catch(() => {}); // told to whoever stops it
      const stop = async (): Promise<void> => {
        abort.abort();
        await ended;
      };
      running.push(stop);
      return { name: runnable.name, stop };
    },
    expecting: (promise) => promise,
    idle: (ms) => realClock.sleep(Math.min(ms, REAL_IDLE_MAX_MS)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(running.map((stop) => stop()));
      await connected[Symbol.asyncDispose]();
    },
  };
}
