import { ConfigMap, controllerReference, ControllerRevision, Deployment, Namespace, Pod } from "@levelset/core";
import { expect, test } from "vitest";
import { MemoryStore } from "../store/index.ts";
import type { Store, WriteResult } from "../store/index.ts";
import { ControllerHarness } from "./controller-harness.fixture.ts";
import { template } from "./workload/workload.fixture.ts";

/** A store whose n-th write from now on fails; `writes` counts all writes. */
class FaultyStore extends MemoryStore implements Store {
  failAt = 0;
  writes = 0;

  override async create(...args: Parameters<MemoryStore["create"]>): Promise<WriteResult> {
    this.#count();
    return super.create(...args);
  }

  override async update(...args: Parameters<MemoryStore["update"]>): Promise<WriteResult> {
    this.#count();
    return super.update(...args);
  }

  override async delete(...args: Parameters<MemoryStore["delete"]>): Promise<WriteResult> {
    this.#count();
    return super.delete(...args);
  }

  #count(): void {
    this.writes++;
    if (this.writes === this.failAt) throw new Error("the disk is full");
  }
}

/** Runs `scenario` once per write, with that write failing, and passes each result to `check`. */
async function everyWriteFails(
  scenario: { prepare(cluster: ControllerHarness): Promise<void>; run(cluster: ControllerHarness): Promise<void> },
  check: (cluster: ControllerHarness, failedAt: number) => void,
): Promise<number> {
  for (let failAt = 1; ; failAt++) {
    const store = new FaultyStore();
    using cluster = await ControllerHarness.start({ store, workloads: true });
    await scenario.prepare(cluster);
    store.writes = 0;
    store.failAt = failAt;
    await scenario.run(cluster);
    if (store.writes < failAt) return failAt - 1;
    check(cluster, failAt);
  }
}

/** Retries a request that failed with the store. */
async function withRetry(request: () => Promise<void>): Promise<void> {
  await request().catch(request);
}

test("an owner tree is collected whichever write fails", async () => {
  const tried = await everyWriteFails(
    {
      prepare: async (cluster) => {
        const a = await cluster.create(ConfigMap, { metadata: { name: "a" } });
        for (const name of ["b", "c"]) {
          await cluster.create(ConfigMap, { metadata: { name, ownerReferences: [controllerReference(a)] } });
        }
        await cluster.untilIdle();
      },
      run: async (cluster) => {
        await withRetry(() => cluster.delete(ConfigMap, "a", { propagationPolicy: "Foreground" }));
        await cluster.advance(1000);
      },
    },
    (cluster, failedAt) => expect([failedAt, cluster.names(ConfigMap)]).toEqual([failedAt, []]),
  );
  expect(tried).toBeGreaterThan(3);
});

test("a namespace is deleted whichever write fails", async () => {
  const tried = await everyWriteFails(
    {
      prepare: async (cluster) => {
        await cluster.create(Namespace, { metadata: { name: "n" } });
        for (const name of ["a", "b"]) await cluster.create(ConfigMap, { metadata: { name } }, "n");
        await cluster.untilIdle();
      },
      run: async (cluster) => {
        await withRetry(() => cluster.delete(Namespace, "n"));
        await cluster.advance(1000);
      },
    },
    (cluster, failedAt) => {
      expect([failedAt, cluster.names(ConfigMap, "n"), cluster.names(Namespace).includes("n")]).toEqual([
        failedAt,
        [],
        false,
      ]);
    },
  );
  expect(tried).toBeGreaterThan(4);
});

test("a deployment is rolled out whichever write fails", async () => {
  const tried = await everyWriteFails(
    {
      prepare: async (cluster) => {
        await cluster.apply({
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "web" },
          spec: { replicas: 2, selector: { matchLabels: { app: "web" } }, template: template("web") },
        });
        await cluster.advance(1000, 250);
      },
      run: async (cluster) => {
        await withRetry(() =>
          cluster.update(Deployment, "web", (old) => ({
            ...old,
            spec: { ...old.spec, template: template("web", { image: "web:2" }) },
          })),
        );
        await cluster.advance(3000, 250);
      },
    },
    (cluster, failedAt) => {
      const images = cluster.actor.list(Pod).map(({ spec }) => spec?.containers?.[0]?.image);
      const { status } = cluster.get(Deployment, "web") ?? {};
      expect([failedAt, images, status?.availableReplicas, status?.observedGeneration]).toEqual([
        failedAt,
        ["web:2", "web:2"],
        2,
        2,
      ]);
    },
  );
  expect(tried).toBeGreaterThan(20);
});

test("a daemon set has one revision of its template and the same pods whichever write fails", async () => {
  const before: string[] = [];
  const tried = await everyWriteFails(
    {
      prepare: async (cluster) => {
        await cluster.apply({
          apiVersion: "apps/v1",
          kind: "DaemonSet",
          metadata: { name: "agent" },
          spec: { selector: { matchLabels: { app: "agent" } }, template: template("agent") },
        });
        await cluster.advance(1000, 250);
        before.splice(0, before.length, ...cluster.actor.list(Pod, "default").map(({ metadata }) => metadata.uid));
      },
      run: async (cluster) => {
        const [original] = cluster.actor.list(ControllerRevision, "default");
        const { labels = {}, ownerReferences = [] } = original?.metadata ?? {};
        const metadata = { name: "copy", labels, ownerReferences };
        const copy = { metadata, data: original?.data ?? {}, revision: 2 };
        await withRetry(async () => void (await cluster.create(ControllerRevision, copy)));
        await cluster.advance(3000, 250);
      },
    },
    (cluster, failedAt) => {
      const pods = cluster.actor.list(Pod, "default").map(({ metadata }) => metadata.uid);
      expect([failedAt, cluster.names(ControllerRevision), pods]).toEqual([failedAt, ["copy"], before]);
    },
  );
  expect(tried).toBeGreaterThan(2);
});
