import { childFinalizerName, CLUSTER_ORIGIN, ownerAnnotations } from "@levelset/core/internal";
import { controllerReference, findCondition, kind, s } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, step } from "./index.ts";
import { create, FINALIZER, Thing } from "./thing.fixture.ts";

const Database = kind({ group: "test.levelset.dev", version: "v1", kind: "Database", spec: s.object({}) });
const HELD = childFinalizerName(Thing);

/** Creates a child and leaves its protection to the engine. */
const keep = step(Thing, "Keep", {
  condition: "DatabaseReady",
  protects: [Database],
  do: async ({ client, object, name, namespace = "", owned }) => {
    if (owned(Database).length > 0) return ok();
    const ownerReferences = [controllerReference(object)];
    await client.create(Database, {
      metadata: { name, namespace, ownerReferences, ...ownerAnnotations(object) },
      spec: {},
    });
    return ok();
  },
});

async function database(cluster: TestCluster): Promise<ObjectOf<typeof Database> | undefined> {
  await cluster.untilIdle();
  return cluster.get(Database, "a");
}

describe("a protected child", () => {
  test("carries a finalizer of its owner, which itself has one", async () => {
    await using cluster = await testCluster({ kinds: [Database] });
    cluster.run(operator(Thing, [keep]));
    const owner = await create(cluster);
    expect(owner).toBeReady();
    expect(owner.metadata.finalizers).toEqual([FINALIZER]);
    expect((await database(cluster))?.metadata.finalizers).toEqual([HELD]);
  });

  test("that another client deletes stays, and its owner reports it", async () => {
    await using cluster = await testCluster({ kinds: [Database] });
    cluster.run(operator(Thing, [keep]));
    await create(cluster);
    await cluster.delete(Database, "a");
    const owner = await cluster.untilSettled(Thing, "a");
    expect((await database(cluster))?.metadata.deletionTimestamp).toBeDefined();
    expect(owner).toHaveCondition("DatabaseReady", "False", {
      severity: "Error",
      reason: "ChildDeleted",
      message: "database/a is being deleted but is still needed; its finalizer stays until this object is deleted too",
    });
    await cluster.delete(Thing, "a");
    await cluster.untilDeleted(Thing, "a");
    expect(await database(cluster)).toBeUndefined();
  });

  test("is deleted with its owner", async () => {
    await using cluster = await testCluster({ kinds: [Database] });
    cluster.run(operator(Thing, [keep]));
    await create(cluster);
    await cluster.delete(Thing, "a");
    await cluster.untilDeleted(Thing, "a");
    expect(await database(cluster)).toBeUndefined();
  });

  test("loses the finalizer also when its owner is deleted without it", async () => {
    await using cluster = await testCluster({ kinds: [Database] });
    cluster.run(operator(Thing, [keep]));
    await create(cluster);
    await cluster.fetch(
      new Request(`${CLUSTER_ORIGIN}/apis/test.levelset.dev/v1/namespaces/default/things/a?propagationPolicy=Orphan`, {
        method: "DELETE",
      }),
    );
    await cluster.untilDeleted(Thing, "a");
    const left = await database(cluster);
    expect([left?.metadata.finalizers ?? [], left?.metadata.deletionTimestamp]).toEqual([[], undefined]);
  });

  test("survives any one lost or refused write of its owner's operator", async () => {
    const life = async (nth: number, fault: "refused" | "response-lost"): Promise<number> => {
      await using cluster = await testCluster({ kinds: [Database], seed: nth });
      cluster.run(operator(Thing, [keep]));
      cluster.faults.failNth(nth, { kind: fault }, isWrite);
      await create(cluster);
      await cluster.clock.advance(60_000);
      expect(await cluster.untilSettled(Thing, "a")).toBeReady();
      expect((await database(cluster))?.metadata.finalizers).toEqual([HELD]);
      await cluster.delete(Thing, "a");
      await cluster.clock.advance(60_000);
      await cluster.untilDeleted(Thing, "a");
      expect(await database(cluster)).toBeUndefined();
      return cluster.faults.count(isWrite);
    };
    for (const fault of ["refused", "response-lost"] as const) {
      const clean = await life(1_000, fault);
      expect(clean).toBeGreaterThanOrEqual(6);
      for (let nth = 1; nth <= clean; nth++) await life(nth, fault);
    }
  });

  test("of another owner is ignored", async () => {
    await using cluster = await testCluster({ kinds: [Database] });
    cluster.run(operator(Thing, [keep]));
    await cluster.apply(Thing, { name: "b", spec: {} });
    await create(cluster);
    await cluster.delete(Thing, "b");
    await cluster.untilDeleted(Thing, "b");
    expect((await database(cluster))?.metadata.finalizers).toEqual([HELD]);
    expect(findCondition((await cluster.untilSettled(Thing, "a")).status?.conditions, "Ready")?.status).toBe("True");
  });
});
