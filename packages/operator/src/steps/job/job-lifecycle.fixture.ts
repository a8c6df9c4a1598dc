import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import { findCondition, Job, Pod } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect } from "vitest";
import { operator } from "../../manager/index.ts";
import { App, backup, jobRuns, describeJobRuns, migrate } from "./app.fixture.ts";

/** Number of a request that never happens: a run without faults. */
export const NO_FAULT = 1_000_000;

/** Interval between checks that the process is alive. */
const TICK_MS = 5_000;
/** Downtime of a crashed process: Jobs end meanwhile, and so do TTLs. */
const DOWN_MS = 30_000;

/** A fault that happens once in a lifecycle. */
export interface InjectedFault {
  readonly fault: Fault;
  /** Number of the failing request among those that pass the filter. */
  readonly nth: number;
  readonly among?: RequestFilter;
  /** Permanent delay of watches. */
  readonly lagMs?: number;
  readonly seed?: number;
  /** True if the step protects its Job. */
  readonly protect?: boolean;
}

/** An operator that is restarted after a crash, in a cluster with faults. */
class Life {
  readonly #cluster: TestCluster;
  readonly #app;
  #running;

  constructor(cluster: TestCluster, protect: boolean) {
    this.#cluster = cluster;
    this.#app = operator(App, [migrate({ protect }), backup]);
    this.#running = cluster.run(this.#app);
  }

  /** Advances the clock and restarts the process after a crash. */
  async pass(ms: number): Promise<void> {
    const { clock, faults } = this.#cluster;
    for (let left = ms; left > 0; left -= TICK_MS) {
      await clock.advance(TICK_MS);
      await this.#cluster.untilIdle();
      if (!faults.isCrashed) continue;
      await this.#running.stop();
      await clock.advance(DOWN_MS);
      faults.restart();
      this.#running = this.#cluster.run(this.#app);
    }
  }
}

/**
 * Creates an App, changes it twice, once while its Job runs, and deletes it, under a fault. Checks that each version's
 * Job completes once, that Ready is never reported before that, and that no objects are left. Returns the number of
 * requests that passed the filter.
 */
export async function runJobLifecycle(injected: InjectedFault): Promise<number> {
  const { fault, nth, among = isWrite, lagMs = 0, seed = nth, protect = false } = injected;
  await using cluster = await testCluster({ workloads: true, seed });
  cluster.faults.delayResponses(lagMs);
  cluster.faults.failNth(nth, fault, among);
  const life = new Life(cluster, protect);
  await cluster.apply(App, { name: "a", spec: { image: "web:1", ttl: 0 } });
  await life.pass(30_000);
  await cluster.patch(App, "a", { spec: { image: "web:2", pods: { "sim.levelset.dev/run-for": "20s" } } });
  await life.pass(10_000);
  await cluster.patch(App, "a", { spec: { image: "web:3" } });
  await life.pass(120_000);
  const app = await cluster.untilSettled(App, "a");
  expect(app).toBeReady();
  expect(app.status?.migration?.result).toBe("Complete");
  expect(describeJobRuns(cluster)).toEqual(["web:1 Complete", "web:2 Complete", "web:3 Complete"]);
  for (const { metadata, spec, status } of cluster.history(App, "a")) {
    const isCurrent = status?.observedGeneration === metadata.generation;
    if (!isCurrent || findCondition(status?.conditions, "Ready")?.status !== "True") continue;
    const run = jobRuns(cluster).find(({ uid }) => uid === status?.migration?.uid);
    expect(run).toMatchObject({ image: spec.image, end: "Complete" });
  }
  await cluster.delete(App, "a");
  await life.pass(120_000);
  await cluster.untilDeleted(App, "a");
  expect(describeJobRuns(cluster, "a-backup")).toEqual(["web:3 Complete"]);
  expect([await cluster.list(Job), await cluster.list(Pod)]).toEqual([[], []]);
  return cluster.faults.count(among);
}

/**
 * Another client deletes a protected Job while it runs and after it has completed, under a fault. The Job stays both
 * times; a new version replaces it, and the deletion of its owner removes it. Returns the number of requests that
 * passed the filter.
 */
export async function protectedJobLife({ fault, nth, among = isWrite, seed = nth }: InjectedFault): Promise<number> {
  await using cluster = await testCluster({ workloads: true, seed });
  cluster.faults.failNth(nth, fault, among);
  const life = new Life(cluster, true);
  const deletedByOther = async (): Promise<void> => {
    const path = "/apis/batch/v1/namespaces/default/jobs/a-migrate?propagationPolicy=Background";
    await cluster.fetch(new Request(CLUSTER_ORIGIN + path, { method: "DELETE" }));
    await life.pass(120_000);
    const held = { severity: "Error", reason: "ChildDeleted" } as const;
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("MigrationReady", "False", held);
  };
  await cluster.apply(App, { name: "a", spec: { image: "web:1", pods: { "sim.levelset.dev/run-for": "1h" } } });
  await life.pass(60_000);
  await deletedByOther();
  expect(describeJobRuns(cluster)).toEqual(["web:1 unfinished"]);
  await cluster.patch(App, "a", { spec: { image: "web:2", pods: { "sim.levelset.dev/run-for": "1s" } } });
  await life.pass(120_000);
  expect(await cluster.untilSettled(App, "a")).toBeReady();
  await deletedByOther();
  expect(describeJobRuns(cluster)).toEqual(["web:1 unfinished", "web:2 Complete"]);
  await cluster.delete(App, "a");
  await life.pass(120_000);
  await cluster.untilDeleted(App, "a");
  expect([await cluster.list(Job), await cluster.list(Pod)]).toEqual([[], []]);
  return cluster.faults.count(among);
}
