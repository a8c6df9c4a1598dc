import { kind, s } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { child } from "../index.ts";

const GROUP = { group: "test.levelset.dev", version: "v1" };
const Shop = kind({ ...GROUP, kind: "Shop", spec: s.object({ shares: s.array(s.number()) }) });
const Share = kind({
  ...GROUP,
  kind: "Share",
  spec: s.object({ total: s.number(), parts: s.array(s.object({ of: s.number() })), named: s.map(s.number()) }),
});

const shops = operator(Shop, [
  child(Shop, "Share", {
    kind: Share,
    desired: ({ name, spec: { shares } }) => ({
      metadata: { name },
      spec: { total: 2 ** 60, parts: shares.map((of) => ({ of })), named: { least: -(2 ** 60) } },
    }),
  }),
]);

test("a child with numbers beyond 2^53 is not applied again by a new process", async () => {
  await using cluster = await testCluster({ kinds: [Share] });
  const first = cluster.run(shops);
  await cluster.create(Shop, { name: "a", spec: { shares: [2 ** 60, 2 ** 80, 1.5, 2 ** 53 - 1, 1] } });
  expect(await cluster.untilSettled(Shop, "a")).toBeReady();
  await first.stop();
  const writes = cluster.faults.count(isWrite);
  cluster.run(shops);
  await cluster.untilIdle();
  await cluster.clock.advance(600_000);
  expect(cluster.faults.count(isWrite)).toBe(writes);
});
