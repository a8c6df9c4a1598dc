import { findCondition } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, step } from "./index.ts";
import { create, Thing } from "./thing.fixture.ts";

describe("faults", () => {
  const kinds = ["refused", "response-lost"] as const;

  /**
   * Creates, changes and deletes an object while the n-th write of the operator fails. Returns the number of writes.
   */
  async function lifeWithFault(nth: number, fault: (typeof kinds)[number] | "conflict"): Promise<number> {
    await using cluster = await testCluster({ seed: nth });
    const external = new Set<string>();
    const store = step(Thing, "Store", {
      condition: "StoreReady",
      do: ({ name, spec, status }) => {
        external.add(name);
        status.note = spec.mode;
        return ok();
      },
      cleanup: ({ name }) => {
        external.delete(name);
        return ok();
      },
    });
    cluster.run(operator(Thing, [store]));
    const plan = fault === "conflict" ? ({ kind: "status", reason: "Conflict" } as const) : { kind: fault };
    cluster.faults.failNth(nth, plan, isWrite);
    await cluster.apply(Thing, { name: "a", spec: { mode: "one" } });
    await cluster.untilSettled(Thing, "a");
    await cluster.patch(Thing, "a", { spec: { mode: "two" } });
    await cluster.untilSettled(Thing, "a");
    await cluster.clock.advance(60_000);
    const object = await cluster.untilSettled(Thing, "a");
    expect(object).toBeReady();
    expect(object.status?.note).toBe("two");
    for (const version of cluster.history(Thing, "a")) {
      const current = version.status?.observedGeneration === version.metadata.generation;
      const ready = findCondition(version.status?.conditions, "Ready")?.status === "True";
      expect(current && ready && version.status?.note !== version.spec.mode).toBe(false);
    }
    await cluster.delete(Thing, "a");
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(Thing, "a");
    expect(external.size).toBe(0);
    return cluster.faults.count(isWrite);
  }

  test.each([...kinds, "conflict"] as const)(
    "%s at any one write: the object still converges, and deletion finishes",
    async (fault) => {
      const clean = await lifeWithFault(1_000, fault);
      expect(clean).toBeGreaterThan(3);
      for (let nth = 1; nth <= clean; nth++) await lifeWithFault(nth, fault);
    },
  );

  test.for([
    ["finalizer", 1],
    ["status", 2],
  ] as const)(
    "a forbidden write of %s is a failure that reports the server's message and is retried",
    async ([, nth]) => {
      await using cluster = await testCluster();
      const held = step(Thing, "Held", { do: () => ok(), cleanup: () => ok() });
      cluster.faults.failNth(nth, { kind: "status", reason: "Forbidden" }, isWrite);
      cluster.run(operator(Thing, [held]));
      await create(cluster);
      const failures = cluster.logs.filter(({ message }) => message === "reconcile failed");
      expect(failures.map(({ fields }) => fields["err"])).toEqual([expect.stringMatching(/forbidden/iu)]);
      await cluster.clock.advance(1_000);
      expect(await cluster.untilSettled(Thing, "a")).toBeReady();
      // Only status fields written by steps can make the server reject the status.
      const reported = cluster.history(Thing, "a").flatMap(({ status }) => status?.conditions ?? []);
      expect(reported.filter(({ type }) => type === "Status")).toEqual([]);
    },
  );

  test("an edit between our read and our write is not lost, and is not counted as a failure", async () => {
    await using cluster = await testCluster();
    let interfered = false;
    const slow = step(Thing, "Slow", {
      do: async ({ spec, status }) => {
        if (!interfered) {
          interfered = true;
          await cluster.patch(Thing, "a", { spec: { mode: "edited" } });
        }
        status.note = spec.mode;
        return ok();
      },
    });
    cluster.run(operator(Thing, [slow]));
    const object = await create(cluster);
    expect(object).toBeReady();
    expect(object.status).toMatchObject({ note: "edited", observedGeneration: 2 });
    expect(cluster.logs.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  });

  test("an object that is deleted before its run is dropped without an error", async () => {
    await using cluster = await testCluster();
    const vanish = step(Thing, "Vanish", {
      do: async ({ name }) => {
        await cluster.delete(Thing, name);
        return ok();
      },
    });
    cluster.run(operator(Thing, [vanish]));
    await cluster.apply(Thing, { name: "a", spec: {} });
    await cluster.untilDeleted(Thing, "a");
    expect(cluster.logs.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  });
});
