import { ConfigMap, controllerReference, kind, s } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, step } from "../engine/index.ts";

const Widget = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Widget",
  spec: s.object({ size: s.int32().default(1) }),
  status: s.object({ child: s.string().optional() }),
});

/** Creates exactly one child with a random name, which a stale cache would duplicate. */
const onlyChild = step(Widget, "OnlyChild", {
  owns: [ConfigMap],
  do: async (req) => {
    const [child] = req.owned(ConfigMap);
    const metadata = {
      namespace: "default",
      generateName: `${req.name}-`,
      ownerReferences: [controllerReference(req.object)],
    };
    const { name } = (child ?? (await req.client.create(ConfigMap, { metadata }))).metadata;
    req.status.child = name;
    return ok();
  },
});

describe("an operator that needs exactly one child never creates two, even with delayed watches and repeated runs", () => {
  test.each(Array.from({ length: 20 }, (_, index) => index + 1))("with seed %i", async (seed) => {
    await using cluster = await testCluster({ seed });
    const lag = seededRandom(seed + 100);
    cluster.faults.delayResponses(() => lag.next() * 5_000);
    cluster.run(operator(Widget, [onlyChild], { concurrency: 8 }));
    for (let n = 0; n < 100; n++) await cluster.create(Widget, { name: `w${n}`, spec: {} });
    const random = seededRandom(seed);
    for (let round = 0; round < 10; round++) {
      await cluster.clock.advance(random.next() * 1_500);
      for (let n = 0; n < 10; n++) {
        const name = `w${Math.floor(random.next() * 100)}`;
        await cluster.patch(Widget, name, { spec: { size: round * 100 + n + 2 } });
      }
      // Some creates succeed but lose their response, so the operator does not know their outcome.
      if (round % 3 === 0) cluster.faults.failNth(2, { kind: "response-lost" }, ({ method }) => method === "POST");
    }
    cluster.faults.delayResponses(0);
    await cluster.clock.advance(60_000);
    await cluster.untilIdle();
    const children = await cluster.list(ConfigMap, "default");
    const owners = children.flatMap(({ metadata }) => metadata.ownerReferences?.map(({ name }) => name) ?? []);
    expect(owners.length).toBe(100);
    expect(new Set(owners).size).toBe(100);
  });
});
