import { ConfigMap, Deployment, isReady, Job, Pod, ReplicaSet, Secret, Service, StatefulSet } from "@levelset/core";
import type { AnyCustomKind } from "@levelset/core";
import type { TestCluster } from "@levelset/apiserver/testing";
import { expect } from "vitest";
import simple, { Simple } from "../../../examples/01-simple/simple.ts";
import rwExternal, { RWExternal } from "../../../examples/02-rwexternal/rwexternal.ts";
import { Database } from "../../../examples/03-service-with-db/database.ts";
import serviceWithDB, { ServiceWithDB } from "../../../examples/03-service-with-db/service-with-db.ts";
import type { Lifecycle } from "./lifecycle.ts";

async function expectReady(cluster: TestCluster, kind: AnyCustomKind, status: object): Promise<void> {
  const object = await cluster.get(kind, "a");
  expect(object).toMatchObject({ status });
  expect(object !== undefined && isReady(object)).toBe(true);
}

async function textOf(cluster: TestCluster, secret: string, key: string): Promise<string> {
  const found = await cluster.get(Secret, secret);
  return Buffer.from(found?.data?.[key] ?? "", "base64").toString();
}

/** Returns the number of consecutive migrations. */
function migrations(cluster: TestCluster): number {
  return new Set(cluster.history(Job, "a-migrate").map(({ metadata }) => metadata.uid)).size;
}

/** Lifecycles of all examples, from creation to deletion. */
export const EXAMPLE_LIFECYCLES: Readonly<Record<string, Lifecycle>> = {
  Simple: {
    operator: simple,
    kinds: [Simple],
    acts: {
      create: {
        act: (cluster) => cluster.create(Simple, { name: "a", spec: { dividend: 10, divisor: 5 } }),
        reached: (cluster) => expectReady(cluster, Simple, { quotient: 2, remainder: 0 }),
      },
      update: {
        act: (cluster) => cluster.patch(Simple, "a", { spec: { divisor: 3 } }),
        reached: (cluster) => expectReady(cluster, Simple, { quotient: 3, remainder: 1 }),
      },
      delete: {
        act: (cluster) => cluster.delete(Simple, "a"),
        reached: (cluster) => cluster.untilDeleted(Simple, "a"),
      },
    },
  },

  RWExternal: {
    operator: rwExternal,
    kinds: [RWExternal, Secret],
    acts: {
      create: {
        act: async (cluster) => {
          await cluster.create(Secret, { name: "foreign", stringData: { quotient: "theirs" } });
          await cluster.create(Secret, { name: "numbers", stringData: { dividend: "10", divisor: "5" } });
          await cluster.create(RWExternal, { name: "a", spec: { inputSecret: "numbers" } });
        },
        reached: async (cluster) => {
          await expectReady(cluster, RWExternal, { outputSecret: "a" });
          expect(await textOf(cluster, "a", "quotient")).toBe("2");
        },
      },
      "change of the input": {
        act: (cluster) => cluster.patch(Secret, "numbers", { stringData: { divisor: "2" } }),
        reached: async (cluster) => {
          await expectReady(cluster, RWExternal, { outputSecret: "a" });
          expect(await textOf(cluster, "a", "quotient")).toBe("5");
        },
      },
      update: {
        act: async (cluster) => {
          await cluster.create(Secret, { name: "others", stringData: { dividend: "9", divisor: "3" } });
          await cluster.patch(RWExternal, "a", { spec: { inputSecret: "others" } });
        },
        reached: async (cluster) => {
          await expectReady(cluster, RWExternal, { observedGeneration: 2 });
          expect(await textOf(cluster, "a", "quotient")).toBe("3");
        },
      },
      delete: {
        act: (cluster) => cluster.delete(RWExternal, "a"),
        reached: async (cluster) => {
          await cluster.untilDeleted(RWExternal, "a");
          const left = await cluster.list(Secret);
          expect(left.map(({ metadata }) => metadata.name)).toEqual(["foreign", "numbers", "others"]);
          expect(await textOf(cluster, "foreign", "quotient")).toBe("theirs");
        },
      },
    },
  },

  ServiceWithDB: {
    operator: serviceWithDB,
    cluster: { workloads: true },
    kinds: [ServiceWithDB, Database, StatefulSet, Deployment, Job, ConfigMap, Secret, Service],
    acts: {
      create: {
        act: async (cluster) => {
          await cluster.create(Secret, { name: "password", stringData: { password: "secret" } });
          await cluster.create(ServiceWithDB, { name: "a", spec: { image: "shop:1", passwordSecret: "password" } });
        },
        reached: async (cluster) => {
          await expectReady(cluster, ServiceWithDB, { databaseHost: "a-db.default.svc", readyReplicas: 1 });
          expect(migrations(cluster)).toBe(1);
        },
      },
      update: {
        act: (cluster) =>
          cluster.patch(ServiceWithDB, "a", { spec: { image: "shop:2", replicas: 2, logLevel: "debug" } }),
        reached: async (cluster) => {
          await expectReady(cluster, ServiceWithDB, { observedGeneration: 2, readyReplicas: 2 });
          expect(migrations(cluster)).toBe(2);
          const [job] = await cluster.list(Job);
          expect(job?.spec?.template.spec?.containers[0]?.image).toBe("shop:2");
        },
      },
      delete: {
        act: (cluster) => cluster.delete(ServiceWithDB, "a"),
        reached: async (cluster) => {
          await cluster.untilDeleted(ServiceWithDB, "a");
          for (const kind of [Database, StatefulSet, Deployment, ReplicaSet, Job, Pod, ConfigMap]) {
            expect((await cluster.list(kind, "default")).map(({ metadata }) => metadata.name)).toEqual([]);
          }
        },
      },
    },
  },
};
