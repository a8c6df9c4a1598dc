import { kind, s } from "@levelset/core";
import type { Stage } from "@levelset/apiserver";
import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";

const Database = kind({
  group: "example.com",
  version: "v1",
  kind: "Database",
  spec: s.object({}),
  status: s.object({ ready: s.boolean().optional() }),
});

const stages: readonly Stage[] = [
  {
    name: "database-ready",
    resource: "databases.example.com",
    selector: "tier=test",
    when: (object) => object["status"] === undefined,
    after: 5_000,
    jitter: 0.1,
    effect: { kind: "status", status: () => ({ ready: true }) },
  },
];

test("a custom stage simulates a declared kind", async () => {
  await using cluster = await testCluster({ kinds: [Database], workloads: { stages } });
  await cluster.apply(Database, { name: "a", labels: { tier: "test" }, spec: {} });
  await cluster.apply(Database, { name: "b", spec: {} });
  await cluster.clock.advance(4_000);
  expect((await cluster.get(Database, "a"))?.status).toBeUndefined();
  await cluster.clock.advance(2_000);
  expect((await cluster.get(Database, "a"))?.status?.ready).toBe(true);
  expect((await cluster.get(Database, "b"))?.status).toBeUndefined();
});
