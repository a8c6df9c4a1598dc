import { CLUSTER_ORIGIN, findCondition, Job, Pod } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect } from "vitest";
import { operator } from "../manager/index.ts";
import { App, backup, jobRuns, jobStory, migrate } from "./app.fixture.ts";

/** The number of a request that there never is. */
export const CLEAN = 1_000_000;

/** How often somebody looks whether the process is still there. */
const TICK_MS = 5_000;
/** How long a crashed process stays away: Jobs end meanwhile, and their TTLs. */
const DOWN_MS = 30_000;

/** What goes wrong once in a life. */
export interface Mishap {
  readonly fault: Fault;
  /** At which of the requests that pass the filter. */
  readonly nth: number;
  readonly among?: RequestFilter;
  /** How late watches are all the time. */
  readonly lagMs?: number;
  readonly seed?: number;
  /** Whether the step protects its Job. */
  readonly protect?: boolean;
}

/** An operator that is started again when it dies, in a cluster in which something goes wrong. */
class Life {
  readonly #cluster: TestCluster;
  readonly #app;
  #running;

  constructor(cluster: TestCluster, protect: boolean) {
    this.#cluster = cluster;
    this.#app = operator(App, [migrate({ protect }), backup]);
    this.#running = cluster.run(this.#app);
  }

  /** Lets time pass; a crash ends the process, and another takes its place. */
  async pass(ms: number): Promise<void> {
    const { clock, faults } = this.#cluster;
    for (let left = ms; left > 0; left -= TICK_MS) {
      await clock.advance(TICK_MS);
      await this.#cluster.rest();
      if (!faults.isCrashed) continue;
      await this.#running.stop();
      await clock.advance(DOWN_MS);
      faults.revive();
      this.#running = this.#cluster.run(this.#app);
    }
  }
}

/**
 * An App is made, changed twice, once while its Job runs, and deleted, while something goes wrong. Whatever it is: each version's Job
 * completes once, Ready is never told for a version that has not, and nothing is left in the end. Answers with how many requests
 * passed the filter.
 */
export async function jobLife(mishap: Mishap): Promise<number> {
  const { fault, nth, among = isWrite, lagMs = 0, seed = nth, protect = false } = mishap;
  await using cluster = await testCluster({ workloads: true, seed });
  cluster.faults.lag(lagMs);
  cluster.faults.failNth(nth, fault, among);
  const life = new Life(cluster, protect);
  await cluster.apply(App, { name: "a", spec: { image: "web:1", ttl: 0 } });
  await life.pass(30_000);
  await cluster.patch(App, "a", { spec: { image: "web:2", pods: { "sim.levelset.dev/run-for": "20s" } } });
  await life.pass(10_000);
  await cluster.patch(App, "a", { spec: { image: "web:3" } });
  await life.pass(120_000);
  const app = await cluster.settled(App, "a");
  expect(app).toBeReady();
  expect(app.status?.migration?.result).toBe("Complete");
  expect(jobStory(cluster)).toEqual(["web:1 Complete", "web:2 Complete", "web:3 Complete"]);
  for (const { metadata, spec, status } of cluster.history(App, "a")) {
    const isCurrent = status?.observedGeneration === metadata.generation;
    if (!isCurrent || findCondition(status?.conditions, "Ready")?.status !== "True") continue;
    const run = jobRuns(cluster).find(({ uid }) => uid === status?.migration?.uid);
    expect(run).toMatchObject({ image: spec.image, end: "Complete" });
  }
  await cluster.delete(App, "a");
  await life.pass(120_000);
  await cluster.gone(App, "a");
  expect(jobStory(cluster, "a-backup")).toEqual(["web:3 Complete"]);
  expect([await cluster.list(Job), await cluster.list(Pod)]).toEqual([[], []]);
  return cluster.faults.count(among);
}

/**
 * A protected Job is deleted by another client while it runs and after it has completed, while something goes wrong. It stays both
 * times; a new version replaces it, and the deletion of its owner removes it. Returns how many requests passed the filter.
 */
export async function protectedJobLife({ fault, nth, among = isWrite, seed = nth }: Mishap): Promise<number> {
  await using cluster = await testCluster({ workloads: true, seed });
  cluster.faults.failNth(nth, fault, among);
  const life = new Life(cluster, true);
  const deletedByOther = async (): Promise<void> => {
    const path = "/apis/batch/v1/namespaces/default/jobs/a-migrate?propagationPolicy=Background";
    await cluster.fetch(new Request(CLUSTER_ORIGIN + path, { method: "DELETE" }));
    await life.pass(120_000);
    const held = { severity: "Error", reason: "ChildDeleted" } as const;
    expect(await cluster.settled(App, "a")).toHaveCondition("MigrationReady", "False", held);
  };
  await cluster.apply(App, { name: "a", spec: { image: "web:1", pods: { "sim.levelset.dev/run-for": "1h" } } });
  await life.pass(60_000);
  await deletedByOther();
  expect(jobStory(cluster)).toEqual(["web:1 unfinished"]);
  await cluster.patch(App, "a", { spec: { image: "web:2", pods: { "sim.levelset.dev/run-for": "1s" } } });
  await life.pass(120_000);
  expect(await cluster.settled(App, "a")).toBeReady();
  await deletedByOther();
  expect(jobStory(cluster)).toEqual(["web:1 unfinished", "web:2 Complete"]);
  await cluster.delete(App, "a");
  await life.pass(120_000);
  await cluster.gone(App, "a");
  expect([await cluster.list(Job), await cluster.list(Pod)]).toEqual([[], []]);
  return cluster.faults.count(among);
}
