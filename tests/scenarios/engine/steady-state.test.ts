import { isReady, Secret, StatefulSet } from "@levelset/core";
import type { AnyCustomKind, Runnable } from "@levelset/core";
import { isWatch, isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import simple, { Simple } from "../../../examples/01-simple/simple.ts";
import rwExternal, { RWExternal } from "../../../examples/02-rwexternal/rwexternal.ts";
import serviceWithDB, { ServiceWithDB } from "../../../examples/03-service-with-db/service-with-db.ts";

/** Many objects of one kind, with their prerequisites. */
interface Crowd {
  readonly operator: Runnable;
  readonly kind: AnyCustomKind;
  readonly size: number;
  readonly create: (cluster: TestCluster, name: string) => Promise<unknown>;
  /**
   * Number of children that a new process applies once more, without a change. The server completes
   * `volumeClaimTemplates` of a StatefulSet, an atomic list, so the stored object alone does not show that it is up to
   * date.
   */
  readonly reapplied: number;
  /** A spec change that is reached at once. */
  readonly change?: (cluster: TestCluster, name: string) => Promise<unknown>;
}

const CROWDS: Readonly<Record<string, Crowd>> = {
  "1,000 Simples": {
    operator: simple,
    kind: Simple,
    size: 1_000,
    reapplied: 0,
    create: (cluster, name) => cluster.create(Simple, { name, spec: { dividend: 10, divisor: 5 } }),
    change: (cluster, name) => cluster.patch(Simple, name, { spec: { divisor: 2 } }),
  },
  "100 RWExternals": {
    operator: rwExternal,
    kind: RWExternal,
    size: 100,
    reapplied: 0,
    create: async (cluster, name) => {
      const numbers = { dividend: "10", divisor: "5" };
      await cluster.create(Secret, { name: `${name}-in`, stringData: numbers });
      await cluster.create(Secret, { name: `${name}-other`, stringData: { ...numbers, divisor: "2" } });
      await cluster.create(RWExternal, { name, spec: { inputSecret: `${name}-in` } });
    },
    change: (cluster, name) => cluster.patch(RWExternal, name, { spec: { inputSecret: `${name}-other` } }),
  },
  "10 ServicesWithDB": {
    operator: serviceWithDB,
    kind: ServiceWithDB,
    size: 10,
    reapplied: 10,
    create: (cluster, name) =>
      cluster.create(ServiceWithDB, { name, spec: { image: "shop:1", passwordSecret: "key" } }),
  },
};

const names = ({ size }: Pick<Crowd, "size">): readonly string[] =>
  Array.from({ length: size }, (_, index) => `o${index}`);

async function settle(cluster: TestCluster, { kind, size }: Pick<Crowd, "kind" | "size">): Promise<readonly string[]> {
  await cluster.clock.advance(10_000);
  await cluster.untilIdle();
  const objects = await cluster.list(kind);
  expect(objects.filter((object) => isReady(object))).toHaveLength(size);
  return objects.map(({ metadata }) => metadata.resourceVersion);
}

describe("steady state", () => {
  test.each(Object.entries(CROWDS))(
    "%s: ten minutes with cut watches, new lists and a new process change no object",
    async (_name, crowd) => {
      await using cluster = await testCluster({ workloads: true });
      const first = cluster.run(crowd.operator);
      for (const name of names(crowd)) await crowd.create(cluster, name);
      const before = await settle(cluster, crowd);
      const writes = cluster.faults.count(isWrite);
      const reads = cluster.requests().length;
      for (let minute = 1; minute <= 10; minute++) {
        // A cut watch resumes where it was; one with an expired revision starts with a new list.
        if (minute % 2 === 0) cluster.faults.failNth(1, { kind: "status", reason: "Expired" }, isWatch);
        cluster.faults.cutWatches();
        await cluster.clock.advance(60_000);
      }
      expect(cluster.requests().length - reads).toBeGreaterThan(10);
      expect(cluster.faults.count(isWrite)).toBe(writes);
      const children = await cluster.list(StatefulSet);
      await first.stop();
      cluster.run(crowd.operator);
      expect(await settle(cluster, crowd)).toEqual(before);
      expect(cluster.faults.count(isWrite)).toBe(writes + crowd.reapplied);
      expect(await cluster.list(StatefulSet)).toEqual(children);
    },
  );

  test.each(
    Object.entries(CROWDS).flatMap(([name, { change, ...crowd }]) => (change ? [[name, crowd, change] as const] : [])),
  )("%s: a spec change causes one write per object", async (_name, { operator, kind, create }, change) => {
    await using cluster = await testCluster();
    cluster.run(operator);
    const crowd = { kind, size: 50 };
    for (const name of names(crowd)) await create(cluster, name);
    await settle(cluster, crowd);
    const writes = (): readonly number[] => names(crowd).map((name) => cluster.writes(kind, name));
    const before = writes();
    for (const name of names(crowd)) await change(cluster, name);
    await settle(cluster, crowd);
    expect(writes()).toEqual(before.map((count) => count + 1));
  });
});
