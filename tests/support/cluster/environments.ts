import { Namespace, randomString, realClock, realRandom } from "@levelset/core";
import { faultyFetch } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestClusterOptions } from "@levelset/apiserver/testing";
import { Client, installCrd } from "@levelset/operator";
import { connectSession } from "../test-server.ts";
import type { TestServer } from "../test-server.ts";
import type { TestEnvironment } from "./harness.ts";

/** Step of the virtual clock while a scenario waits. */
const TICK_MS = 50;
/** Maximum virtual time that a scenario may wait: longer than the limit of every scenario. */
const EXPECT_MAX_MS = 600_000;
/** Longer idle times on a real server reveal little more. */
const REAL_IDLE_MAX_MS = 3_000;
/** A busy machine may take fifteen times as long as the scenario allows. */
const REAL_TIMEOUT_FACTOR = 15;

/** The embedded server in this process, under a virtual clock: every limit is exact. */
export async function virtualEnvironment(options: TestClusterOptions = {}): Promise<TestEnvironment> {
  const cluster = await testCluster(options);
  return {
    namespace: "default",
    fetch: cluster.fetch,
    faults: cluster.faults,
    timeoutFactor: 1,
    now: () => cluster.clock.now(),
    install: (kind) => cluster.install(kind),
    start: (runnable) => cluster.run(runnable),
    advanceUntil: async (promise) => {
      const state = { isSettled: false };
      const settle = (): boolean => (state.isSettled = true);
      promise.then(settle, settle);
      await cluster.untilIdle();
      for (let ms = 0; !state.isSettled && ms < EXPECT_MAX_MS; ms += TICK_MS) {
        await cluster.clock.advance(TICK_MS);
        await cluster.untilIdle();
      }
      return await promise;
    },
    idle: async (ms) => {
      await cluster.clock.advance(ms);
      await cluster.untilIdle();
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

/** A cluster on a socket, with a namespace for the scenario: limits are timeouts. */
export async function realEnvironment(target: TestServer): Promise<TestEnvironment> {
  const connected = await connectSession(target);
  const { world } = connected;
  const faults = faultyFetch(world.fetch, { clock: realClock });
  const client = new Client({ fetch: world.fetch, fieldManager: "scenario" });
  const namespace = `scenario-${randomString(realRandom, 8, "abcdefghijkmnopqrstuvwxyz")}`;
  await client.create(Namespace, { metadata: { name: namespace } });
  const running: (() => Promise<void>)[] = [];
  return {
    namespace,
    fetch: world.fetch,
    faults,
    timeoutFactor: REAL_TIMEOUT_FACTOR,
    now: () => realClock.now(),
    install: async (kind) => void (await installCrd(client, kind, world)),
    start: (runnable) => {
      const abort = new AbortController();
      const ended = runnable.start({ ...world, fetch: faults.fetch, signal: abort.signal });
      ended.catch(() => {}); // reported to the caller of stop
      const stop = async (): Promise<void> => {
        abort.abort();
        await ended;
      };
      running.push(stop);
      return { name: runnable.name, stop };
    },
    advanceUntil: (promise) => promise,
    idle: (ms) => realClock.sleep(Math.min(ms, REAL_IDLE_MAX_MS)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(running.map((stop) => stop()));
      await connected[Symbol.asyncDispose]();
    },
  };
}
