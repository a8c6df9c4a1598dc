import { ConfigMap, kind, markedOwner, Namespace, ownerMark, s, Secret } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, selection, step, wait } from "../step/index.ts";
import type { FollowRule } from "../step/index.ts";

const Team = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Team",
  spec: s.object({ color: s.string().default("red") }),
  status: s.object({ found: s.string().optional() }),
});

const labelsOf = (color: string): Readonly<Record<string, string>> => ({ color, part: "config" });

describe("what an object finds by labels", () => {
  const look = step(Team, "Look", {
    reads: [selection(Team, ConfigMap, ({ spec }) => labelsOf(spec.color))],
    do: ({ select, spec, status }) => {
      const found = select(ConfigMap, labelsOf(spec.color)).map(({ metadata }) => metadata.name);
      status.found = found.toSorted().join(" ");
      return found.length === 0 ? wait("no config") : ok();
    },
  });
  const found = async (cluster: Awaited<ReturnType<typeof testCluster>>): Promise<unknown> =>
    (await cluster.settled(Team, "a")).status?.found;

  test("wakes it when it comes, changes its labels, or goes, and not otherwise", async () => {
    await using cluster = await testCluster();
    let runs = 0;
    cluster.run(operator(Team, [look], { onRun: () => runs++ }));
    await cluster.apply(Team, { name: "a", spec: {} });
    expect(await found(cluster)).toBe("");
    const labels = labelsOf("red");
    await cluster.apply(ConfigMap, { name: "one", labels });
    await cluster.apply(ConfigMap, { name: "two", labels });
    expect(await found(cluster)).toBe("one two");
    await cluster.patch(ConfigMap, "one", { metadata: { labels: { part: "other" } } });
    expect(await found(cluster)).toBe("two");
    await cluster.delete(ConfigMap, "two");
    expect(await found(cluster)).toBe("");
    expect(runs).toBe(5);
    await cluster.apply(ConfigMap, { name: "blue", labels: labelsOf("blue") });
    await cluster.apply(ConfigMap, { name: "half", labels: { color: "red" } });
    expect(await found(cluster)).toBe("");
    expect(runs).toBe(5);
    await cluster.patch(Team, "a", { spec: { color: "blue" } });
    expect(await found(cluster)).toBe("blue");
  });

  test("is looked for in its own namespace only", async () => {
    await using cluster = await testCluster();
    cluster.run(operator(Team, [look]));
    await cluster.apply(Namespace, { name: "far" });
    await cluster.apply(ConfigMap, { name: "one", namespace: "far", labels: labelsOf("red") });
    await cluster.apply(Team, { name: "a", spec: {} });
    expect(await found(cluster)).toBe("");
  });
});

test("a child in another namespace is found and wakes its owner by its mark", async () => {
  await using cluster = await testCluster();
  const far = step(Team, "Far", {
    owns: [ConfigMap],
    do: async ({ client, object, owned, spec, status }) => {
      const [present] = owned(ConfigMap);
      status.found = present?.data?.["color"] ?? "none";
      if (present?.data?.["color"] === spec.color) return ok();
      const metadata = { name: "far", namespace: "far", ...ownerMark(object) };
      const made = await client.apply(ConfigMap, { metadata, data: { color: spec.color } }, { force: true });
      status.found = made.data?.["color"];
      return ok();
    },
  });
  cluster.run(operator(Team, [far]));
  await cluster.apply(Namespace, { name: "far" });
  const team = await cluster.apply(Team, { name: "a", spec: {} });
  expect((await cluster.settled(Team, "a")).status?.found).toBe("red");
  const child = await cluster.get(ConfigMap, "far", "far");
  expect(child && markedOwner(child)).toEqual({
    group: "test.levelset.dev",
    kind: "Team",
    namespace: "default",
    name: "a",
    uid: team.metadata.uid,
  });
  await cluster.patch(ConfigMap, "far", { data: { color: "forged" } }, "far");
  await cluster.rest();
  expect((await cluster.get(ConfigMap, "far", "far"))?.data).toEqual({ color: "red" });
});

describe("kinds that only a spec tells", () => {
  const Bag = kind({
    group: "test.levelset.dev",
    version: "v1",
    kind: "Bag",
    spec: s.object({ kinds: s.array(s.string()) }),
    status: s.object({ found: s.string().optional() }),
  });
  const KINDS = { ConfigMap, Secret } as const;
  const rule: FollowRule<typeof Bag> = {
    labels: "bag",
    map: ({ metadata }) => [{ namespace: metadata.namespace ?? "", name: metadata.labels?.["bag"] ?? "" }],
  };
  const gather = step(Bag, "Gather", {
    follows: [rule],
    do: async ({ follow, name, spec, status }) => {
      const kinds = Object.values(KINDS).filter((one) => spec.kinds.includes(one.kind));
      const followed = await follow(rule, kinds);
      const found = kinds
        .flatMap((one) => followed.list(one))
        .filter(({ metadata }) => metadata.labels?.["bag"] === name);
      status.found = found
        .map(({ metadata }) => metadata.name)
        .toSorted()
        .join(" ");
      return ok();
    },
  });

  test("are followed while somebody wants them, and their changes wake those whom the rule names", async () => {
    await using cluster = await testCluster();
    cluster.run(operator(Bag, [gather]));
    const found = async (name: string): Promise<unknown> => (await cluster.settled(Bag, name)).status?.found;
    const reads = (plural: string): number =>
      cluster.requests().filter(({ path }) => path.endsWith(`/${plural}`)).length;
    await cluster.apply(Bag, { name: "a", spec: { kinds: ["ConfigMap"] } });
    await cluster.apply(ConfigMap, { name: "one", labels: { bag: "a" } });
    await cluster.apply(ConfigMap, { name: "other", labels: { bag: "b" } });
    await cluster.apply(Secret, { name: "hidden", labels: { bag: "a" } });
    expect(await found("a")).toBe("one");
    expect(reads("secrets")).toBe(0);
    await cluster.patch(Bag, "a", { spec: { kinds: ["ConfigMap", "Secret"] } });
    expect(await found("a")).toBe("hidden one");
    await cluster.delete(Secret, "hidden");
    expect(await found("a")).toBe("one");
    const before = reads("configmaps");
    await cluster.delete(Bag, "a");
    await cluster.gone(Bag, "a");
    await cluster.clock.advance(600_000);
    expect(reads("configmaps")).toBe(before);
  });

  test("are never taken for kinds without objects while they cannot be listed", async () => {
    await using cluster = await testCluster();
    const isSecrets = ({ path }: { readonly path: string }): boolean => path.endsWith("/secrets");
    // The stream, then the list.
    for (let times = 0; times < 2; times++) {
      cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" }, isSecrets);
    }
    cluster.run(operator(Bag, [gather]));
    await cluster.apply(Secret, { name: "hidden", labels: { bag: "a" } });
    await cluster.apply(Bag, { name: "a", spec: { kinds: ["Secret"] } });
    await cluster.apply(Bag, { name: "b", spec: { kinds: ["ConfigMap"] } });
    expect(await cluster.settled(Bag, "a")).toHaveCondition("Gather", "False", {
      message: "cannot list secrets: forbidden (needs list and watch)",
    });
    expect(await cluster.settled(Bag, "b")).toBeReady();
    await cluster.clock.advance(1_000);
    expect((await cluster.settled(Bag, "a")).status?.found).toBe("hidden");
  });

  test("must be declared under a rule", async () => {
    await using cluster = await testCluster();
    const stray = step(Bag, "Stray", { do: async ({ follow }) => ok(await follow(rule, [Secret])) });
    cluster.run(operator(Bag, [stray]));
    await cluster.apply(Bag, { name: "a", spec: { kinds: [] } });
    expect(await cluster.settled(Bag, "a")).toHaveCondition("Stray", "False", {
      message: "step Stray follows what it does not declare",
    });
  });
});
