import { ConfigMap, controllerReference, kind, s } from "@levelset/core";
import type { Clock, Fetch, Runnable, World } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import { expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, step } from "../step/index.ts";

const Widget = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Widget",
  spec: s.object({ size: s.int32().default(1) }),
  status: s.object({ child: s.string().optional() }),
});

/** Exactly one child, with a name that nobody can guess: the classic victim of a stale cache. */
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

/** Watch events arrive up to five seconds late, each stream in its order. */
function lagging(fetch: Fetch, clock: Clock, seed: number): Fetch {
  const random = seededRandom(seed);
  return async (request) => {
    const response = await fetch(request);
    if (!request.url.includes("watch=true") || response.body === null) return response;
    const late = new TransformStream<Uint8Array, Uint8Array>({
      transform: async (chunk, controller) => {
        await clock.sleep(random.next() * 5_000, request.signal);
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(late), response);
  };
}

/** The same runnable in a world with late watches. */
function late(runnable: Runnable, seed: number): Runnable {
  const start = (world: World): Promise<void> =>
    runnable.start({ ...world, fetch: lagging(world.fetch, world.clock, seed) });
  return { ...runnable, start };
}

test("an operator that wants exactly one child never makes two, however late its watches are and however often it runs", async () => {
  let tries = 0;
  for (let seed = 1; seed <= 20; seed++) {
    await using cluster = await testCluster({ seed });
    cluster.run(late(operator(Widget, [onlyChild], { concurrency: 8 }), seed));
    for (let n = 0; n < 100; n++) await cluster.create(Widget, { name: `w${n}`, spec: {} });
    const random = seededRandom(seed);
    for (let round = 0; round < 10; round++) {
      await cluster.clock.advance(random.next() * 1_500);
      for (let n = 0; n < 10; n++) {
        const name = `w${Math.floor(random.next() * 100)}`;
        await cluster.patch(Widget, name, { spec: { size: round * 100 + n + 2 } });
      }
      // Some creates succeed without a word: their fate is unknown to the operator.
      if (round % 3 === 0) cluster.faults.failNth(2, { kind: "answer-lost" }, ({ method }) => method === "POST");
    }
    await cluster.clock.advance(60_000);
    await cluster.rest();
    const children = await cluster.list(ConfigMap, "default");
    const owners = children.flatMap(({ metadata }) => metadata.ownerReferences?.map(({ name }) => name) ?? []);
    expect(owners.length).toBe(100);
    expect(new Set(owners).size).toBe(100);
    tries += owners.length;
  }
  expect(tries).toBe(2_000);
});
