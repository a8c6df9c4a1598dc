import { ConfigMap, Namespace, Secret, silentLogger } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Cache } from "./index.ts";
import type { Informer, InformerOptions } from "./index.ts";
import { openWatches } from "./informer.fixture.ts";

const KINDS = { ConfigMap, Secret } as const;
const NAMESPACES = ["default", "one", "two"] as const;
const COLOURS = ["red", "blue"] as const;

/** Arguments of one `Cache.watch`. */
interface Requested {
  readonly kind: keyof typeof KINDS;
  readonly namespaces: readonly string[] | undefined;
  readonly colour: string | undefined;
  readonly isOptional: boolean;
}

interface Opened {
  readonly requested: Requested;
  readonly informer: Informer<typeof ConfigMap | typeof Secret>;
}

type Action =
  | { readonly action: "open"; readonly requested: Requested }
  /** Closes the n-th informer, also a second time. */
  | { readonly action: "close"; readonly nth: number }
  /** Lets the requests in progress finish, cuts the connections, or lists everything again. */
  | { readonly action: "idle" | "cut" | "refresh" };

const requested: fc.Arbitrary<Requested> = fc.record({
  kind: fc.constantFrom("ConfigMap", "Secret"),
  namespaces: fc.option(fc.subarray([...NAMESPACES]), { nil: undefined }),
  colour: fc.option(fc.constantFrom(...COLOURS), { nil: undefined }),
  isOptional: fc.boolean(),
});
const actions: fc.Arbitrary<readonly Action[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ action: fc.constant("open" as const), requested }) },
    { weight: 3, arbitrary: fc.record({ action: fc.constant("close" as const), nth: fc.nat(10) }) },
    { weight: 2, arbitrary: fc.record({ action: fc.constantFrom("idle", "cut", "refresh") }) },
  ),
  { maxLength: 20 },
);

/** Returns the collections that an informer needs: one per namespace, or one for all namespaces. */
function collectionsOf({ kind, namespaces, colour }: Requested): readonly string[] {
  return (namespaces ?? ["*"]).map((namespace) => `${kind} ${namespace} ${colour ?? "*"}`);
}

/** Returns the names of the objects that an informer selects; the name of each object says what it is. */
function selectedNames({ kind, namespaces = NAMESPACES, colour }: Requested): readonly string[] {
  const colours = COLOURS.filter((each) => colour === undefined || each === colour);
  return namespaces.flatMap((namespace) => colours.map((each) => nameOf(kind, namespace, each))).toSorted();
}

const nameOf = (kind: string, namespace: string, colour: string): string =>
  `${kind.toLowerCase()}-${namespace}-${colour}`;

async function filledCluster(): Promise<TestCluster> {
  const cluster = await testCluster();
  for (const namespace of NAMESPACES) {
    if (namespace !== "default") await cluster.create(Namespace, { name: namespace });
    for (const colour of COLOURS) {
      for (const [name, kind] of Object.entries(KINDS)) {
        await cluster.create(kind, { name: nameOf(name, namespace, colour), namespace, labels: { colour } });
      }
    }
  }
  return cluster;
}

test("informers that are opened and closed in any order leave exactly the watches of those still open", async () => {
  await using filled = await filledCluster();
  await fc.assert(
    fc.asyncProperty(actions, async (steps) => {
      await using cluster = await filled.fork();
      const { clock, faults } = cluster;
      const cache = new Cache({ fetch: faults.fetch, clock, random: seededRandom(1), logger: silentLogger });
      const opened: Opened[] = [];
      const open = new Set<Opened>();
      for (const step of steps) {
        if (step.action === "open") {
          const { kind, namespaces, colour, isOptional } = step.requested;
          const labels = colour === undefined ? {} : { labels: `colour=${colour}` };
          const options: InformerOptions = { namespaces, isOptional, ...labels };
          const added = { requested: step.requested, informer: cache.watch(KINDS[kind], options) };
          opened.push(added);
          open.add(added);
        } else if (step.action === "close") {
          const closed = opened[step.nth];
          closed?.informer.close();
          if (closed !== undefined) open.delete(closed);
        } else if (step.action === "cut") faults.cutWatches();
        else if (step.action === "refresh") cache.refresh();
        else await cluster.untilIdle();
      }
      await clock.advance(60_000);
      await cluster.untilIdle();
      const collections = new Set([...open].flatMap((each) => collectionsOf(each.requested)));
      expect(await openWatches(cluster)).toBe(collections.size);
      expect(cache.health).toHaveLength(collections.size);
      for (const each of open) {
        const names = each.informer.list().map(({ metadata }) => metadata.name);
        expect(names.toSorted()).toEqual(selectedNames(each.requested));
      }
      expect(cache.isConsistent).toBe(true);
      for (const { informer } of opened) informer.close();
      await cluster.untilIdle();
      expect([await openWatches(cluster), cache.health]).toEqual([0, []]);
    }),
  );
});
