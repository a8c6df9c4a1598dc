import { Job, silentLogger } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Cache } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import type { TransportApplyResult } from "../transport.ts";
import { isExpiredJob } from "./job-rerun.ts";
import { KubernetesTransport } from "./kubernetes-transport.ts";

const { signal } = new AbortController();
const TTL_SECONDS = 5;

const JOB: JsonObject = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "check", namespace: "default" },
  spec: {
    ttlSecondsAfterFinished: TTL_SECONDS,
    template: { spec: { restartPolicy: "Never", containers: [{ name: "check", image: "check:1" }] } },
  },
};
const TARGET = {
  apiVersion: "batch/v1",
  kind: "Job",
  namespace: "default",
  by: { kind: "name", name: "check" },
} as const;

/** An adapter that applies the Job of one fleet resource, and records the runs triggered by changes of the Job. */
class Adapter {
  readonly changes: string[] = [];
  readonly #transport: KubernetesTransport;

  constructor({ clock, fetch }: TestCluster) {
    const cache = new Cache({ fetch, clock, random: seededRandom(1), logger: silentLogger });
    this.#transport = new KubernetesTransport({ cache, adapter: "dns", clock });
    this.#transport.onChange((id) => this.changes.push(id));
  }

  async apply(): Promise<TransportApplyResult> {
    const [live] = await this.#transport.find(TARGET, signal);
    const mark = { adapter: "dns", resourceId: "c1", generation: 1 };
    return (await this.#transport.apply(TARGET, JOB, live, { owner: mark, adopt: false, recreate: false, signal })).as;
  }
}

async function finish(cluster: TestCluster, type: "Complete" | "Failed"): Promise<void> {
  const now = new Date(cluster.clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
  const types = type === "Complete" ? ["SuccessCriteriaMet", type] : ["FailureTarget", type];
  const conditions = types.map((one) => ({ type: one, status: "True", lastTransitionTime: now, reason: "Test" }));
  const counts = type === "Complete" ? { succeeded: 1, completionTime: now } : { failed: 1 };
  await cluster.patchStatus(Job, "check", { ...counts, startTime: now, conditions });
  await cluster.untilIdle();
}

describe("a finished Job with ttlSecondsAfterFinished", () => {
  test("triggers a run when it finishes, and none when its TTL removes it", async () => {
    await using cluster = await testCluster();
    const adapter = new Adapter(cluster);
    expect(await adapter.apply()).toBe("created");
    await cluster.untilIdle();
    await finish(cluster, "Complete");
    expect(adapter.changes).toEqual(["c1"]);
    await cluster.clock.advance(TTL_SECONDS * 1_000);
    await cluster.untilIdle();
    expect(await cluster.list(Job)).toEqual([]);
    expect(adapter.changes).toEqual(["c1"]);
  });

  test.each(["Complete", "Failed"] as const)(
    "that ended with %s is created again by each later run, and never counts as contested",
    async (type) => {
      await using cluster = await testCluster();
      const adapter = new Adapter(cluster);
      for (let run = 0; run < 10; run += 1) {
        expect(await adapter.apply()).toBe("created");
        await cluster.untilIdle();
        await finish(cluster, type);
        await cluster.clock.advance(TTL_SECONDS * 1_000);
        await cluster.untilIdle();
      }
      expect(adapter.changes).toHaveLength(10);
    },
  );

  test("that another client deletes before its TTL expires triggers a run", async () => {
    await using cluster = await testCluster();
    const adapter = new Adapter(cluster);
    await adapter.apply();
    await cluster.untilIdle();
    await finish(cluster, "Complete");
    await cluster.clock.advance(2_000);
    adapter.changes.length = 0;
    await cluster.delete(Job, "check");
    await cluster.untilIdle();
    expect(adapter.changes).not.toEqual([]);
  });
});

test("a running Job with ttlSecondsAfterFinished that another client deletes repeatedly is created a few times only", async () => {
  await using cluster = await testCluster();
  const adapter = new Adapter(cluster);
  const outcomes: string[] = [];
  for (let run = 0; run < 10; run += 1) {
    outcomes.push(await adapter.apply().catch((error: unknown) => (error as Error).message));
    await cluster.untilIdle();
    if ((await cluster.get(Job, "check")) !== undefined) await cluster.delete(Job, "check");
    await cluster.untilIdle();
  }
  expect(outcomes.filter((outcome) => outcome === "created").length).toBeLessThan(10);
  expect(adapter.changes).not.toEqual([]);
});

describe("whether a Job is removed by its TTL", () => {
  const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
  const finished = (type: string): JsonObject => ({
    conditions: [{ type, status: "True", lastTransitionTime: at(100) }],
  });
  const deleted = (seconds: number): JsonObject => ({ name: "check", deletionTimestamp: at(seconds) });

  test.each<[string, JsonObject, boolean]>([
    ["complete, deleted at its TTL", { metadata: deleted(160), status: finished("Complete") }, true],
    ["failed, deleted at its TTL", { metadata: deleted(160), status: finished("Failed") }, true],
    ["deleted slightly early, by a clock that is behind", { metadata: deleted(158), status: finished("Failed") }, true],
    ["deleted before its TTL", { metadata: deleted(157), status: finished("Complete") }, false],
    ["running", { metadata: deleted(160), status: {} }, false],
    ["suspended", { metadata: deleted(160), status: finished("Suspended") }, false],
    [
      "without a recorded deletion, by our own clock",
      { metadata: { name: "check" }, status: finished("Complete") },
      true,
    ],
  ])("%s", (_, job, expected) => {
    expect(isExpiredJob({ spec: { ttlSecondsAfterFinished: 60 }, ...job }, 200_000)).toBe(expected);
    expect(isExpiredJob({ spec: {}, ...job }, 200_000)).toBe(false);
  });

  test("a TTL of 0 expires when the Job finishes", () => {
    const job = { metadata: deleted(100), spec: { ttlSecondsAfterFinished: 0 }, status: finished("Complete") };
    expect(isExpiredJob(job, 0)).toBe(true);
  });
});
