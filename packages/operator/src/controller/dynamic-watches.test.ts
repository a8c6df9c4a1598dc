import { ConfigMap, kind, s, Secret, Service } from "@levelset/core";
import { untilIdle } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openWatches } from "../cache/informer.fixture.ts";
import { ok, step } from "../engine/index.ts";
import type { DynamicWatch } from "../engine/index.ts";
import { operator } from "../manager/index.ts";

const Bag = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Bag",
  spec: s.object({ kinds: s.array(s.string()) }),
  status: s.object({ found: s.string().optional() }),
});
const KINDS = { ConfigMap, Secret, Service } as const;
const KIND_NAMES = ["ConfigMap", "Secret", "Service"] as const;
const BAGS = ["a", "b", "c"] as const;

const rule: DynamicWatch<typeof Bag> = {
  labelSelector: "bag",
  map: (_changed, ours) => [...ours].map(({ metadata: { namespace = "", name } }) => ({ namespace, name })),
};
const gather = step(Bag, "Gather", {
  dynamicWatches: [rule],
  do: async ({ watch, spec, status }) => {
    const kinds = KIND_NAMES.filter((name) => spec.kinds.includes(name)).map((name) => KINDS[name]);
    const watched = await watch(rule, kinds);
    status.found = kinds
      .flatMap((one) => watched.list(one))
      .map(({ metadata }) => metadata.name)
      .join(" ");
    return ok();
  },
});

type Action =
  | { readonly action: "apply"; readonly bag: string; readonly kinds: readonly (typeof KIND_NAMES)[number][] }
  | { readonly action: "delete"; readonly bag: string }
  /** Rejects the next request for a collection of the kind. */
  | { readonly action: "forbid"; readonly kind: (typeof KIND_NAMES)[number] }
  | { readonly action: "idle" | "cut" };

const bag = fc.constantFrom(...BAGS);
const actions: fc.Arbitrary<readonly Action[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ action: fc.constant("apply" as const), bag, kinds: fc.subarray([...KIND_NAMES]) }),
    },
    { weight: 2, arbitrary: fc.record({ action: fc.constant("delete" as const), bag }) },
    {
      weight: 1,
      arbitrary: fc.record({ action: fc.constant("forbid" as const), kind: fc.constantFrom(...KIND_NAMES) }),
    },
    { weight: 2, arbitrary: fc.record({ action: fc.constantFrom("idle", "cut") }) },
  ),
  { maxLength: 12 },
);

test("objects that change their kinds in any order leave exactly the watches that they need, with all objects", async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (steps) => {
      await using cluster = await testCluster({ kinds: [Bag] });
      for (const name of KIND_NAMES) {
        const object = { name: name.toLowerCase(), labels: { bag: "any" } };
        if (name === "Service") await cluster.apply(Service, { ...object, spec: { ports: [{ port: 80 }] } });
        else await cluster.apply(KINDS[name], object);
      }
      cluster.run(operator(Bag, [gather]));
      const expected = new Map<string, readonly (typeof KIND_NAMES)[number][]>();
      for (const each of steps) {
        if (each.action === "apply") {
          await cluster.apply(Bag, { name: each.bag, spec: { kinds: each.kinds } });
          expected.set(each.bag, each.kinds);
        } else if (each.action === "delete") {
          if (expected.delete(each.bag)) await cluster.delete(Bag, each.bag);
        } else if (each.action === "forbid") {
          const path = `/${KINDS[each.kind].plural}`;
          cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" }, (request) => request.path.endsWith(path));
        } else if (each.action === "cut") cluster.faults.cutWatches();
        else await cluster.untilIdle();
      }
      await cluster.clock.advance(600_000);
      await cluster.untilIdle();
      const watched = new Set([...expected.values()].flat());
      expect(await openWatches(cluster)).toBe(1 + watched.size);
      for (const [name, kinds] of expected) {
        const found = KIND_NAMES.filter((each) => kinds.includes(each)).map((each) => each.toLowerCase());
        expect((await cluster.untilSettled(Bag, name)).status?.found).toBe(found.join(" "));
      }
    }),
    { numRuns: 50 },
  );
});

test("a run whose object is deleted before it requests a watch leaves no watch", async () => {
  await using cluster = await testCluster({ kinds: [Bag] });
  const found: string[] = [];
  const late = step(Bag, "Late", {
    dynamicWatches: [rule],
    do: async ({ watch, name }) => {
      await cluster.delete(Bag, name);
      await untilIdle();
      const watched = await watch(rule, [ConfigMap]);
      found.push(...watched.list(ConfigMap).map(({ metadata }) => metadata.name));
      return ok();
    },
  });
  await cluster.apply(ConfigMap, { name: "one", labels: { bag: "a" } });
  cluster.run(operator(Bag, [late]));
  await cluster.apply(Bag, { name: "a", spec: { kinds: [] } });
  await cluster.untilDeleted(Bag, "a");
  expect([found, await openWatches(cluster)]).toEqual([["one"], 1]);
});
