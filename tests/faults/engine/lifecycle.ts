import type { Kind, Runnable } from "@levelset/core";
import type { FaultyFetch } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { RunnableHandle, TestCluster, TestClusterOptions } from "@levelset/apiserver/testing";
import { expect } from "vitest";
import { diffSnapshots, snapshotObjects, NO_DIFFERENCE } from "./snapshot.ts";

/** A user action, and the check of its result once the operator has settled. */
export interface LifecycleStep {
  readonly act: (cluster: TestCluster) => Promise<unknown>;
  readonly reached: (cluster: TestCluster) => Promise<void>;
}

/** Lifecycle of an operator's objects, from the initial cluster to their deletion. */
export interface Lifecycle {
  readonly operator: Runnable;
  readonly cluster?: TestClusterOptions;
  /** Kinds of all objects, to compare final states. */
  readonly kinds: readonly Kind[];
  readonly acts: Readonly<Record<string, LifecycleStep>>;
}

/** A step of a lifecycle, with the cluster as it was before. */
export interface LifecycleCheckpoint {
  /** Number of requests and watch events without faults. */
  readonly requests: number;
  readonly events: number;
  /**
   * Replays the step with faults, described by `when`, and expects the final state of the run without faults. A crashed
   * process is replaced.
   */
  readonly check: (when: string, injectFaults: (faults: FaultyFetch) => void, seed?: number) => Promise<void>;
}

/** Virtual time after which all retries after a single fault are over, and all simulated workloads are ready. */
const CALM_MS = 30_000;
/** More restarts than any fault needs. */
const ROUNDS_MAX = 20;

/**
 * Runs a lifecycle once without faults, and passes each of its steps to a callback that can replay it any number of
 * times: always from the settled state before it, with an operator that has just started.
 */
export async function replayLifecycle(
  lifecycle: Lifecycle,
  notify: (chapter: LifecycleCheckpoint) => Promise<void>,
): Promise<void> {
  await using cluster = await testCluster(lifecycle.cluster);
  for (const kind of lifecycle.operator.kinds ?? []) await cluster.install(kind);
  const operator = cluster.run(lifecycle.operator);
  for (const [name, act] of Object.entries(lifecycle.acts)) {
    await using before = await cluster.fork();
    await act.act(cluster);
    await calm(cluster, lifecycle.operator, operator);
    await act.reached(cluster);
    const counted = await replay(lifecycle, act, before, countEvents);
    const check: LifecycleCheckpoint["check"] = async (when, injectFaults, seed) => {
      try {
        const replayed = await replay(lifecycle, act, before, injectFaults, seed);
        expect(diffSnapshots(counted.end, replayed.end)).toEqual(NO_DIFFERENCE);
      } catch (error) {
        throw new Error(`${name} ended in another state with a fault at ${when}`, { cause: error });
      }
    };
    await notify({ requests: counted.requests, events: counted.events(), check });
  }
}

/** Result of a replay. */
interface Replay {
  readonly end: readonly string[];
  readonly requests: number;
}

async function replay<T>(
  lifecycle: Lifecycle,
  act: LifecycleStep,
  before: TestCluster,
  injectFaults: (faults: FaultyFetch) => T,
  seed = 1,
): Promise<Replay & { readonly events: T }> {
  await using cluster = await before.fork({ seed });
  const events = injectFaults(cluster.faults);
  const operator = cluster.run(lifecycle.operator);
  await act.act(cluster);
  await calm(cluster, lifecycle.operator, operator);
  await act.reached(cluster);
  const { length: requests } = cluster.requests();
  return { end: await snapshotObjects(lifecycle.kinds, (kind) => cluster.list(kind)), requests, events };
}

function countEvents(faults: FaultyFetch): () => number {
  let count = 0;
  // A filter that matches nothing sees every event.
  faults.failNthEvent(1, { kind: "drop" }, () => {
    count++;
    return false;
  });
  return () => count;
}

/** Runs all due work, and replaces a crashed process. */
async function calm(cluster: TestCluster, operator: Runnable, first: RunnableHandle): Promise<void> {
  let running = first;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await cluster.untilIdle();
    await cluster.clock.advance(CALM_MS);
    await cluster.untilIdle();
    if (!cluster.faults.isCrashed) return;
    await running.stop();
    cluster.faults.restart();
    running = cluster.run(operator);
  }
  throw new Error("the process keeps crashing");
}
