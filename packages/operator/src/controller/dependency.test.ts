import { ConfigMap, kind, markedOwner, Namespace, ownerMark, s } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, selection, step, wait } from "../step/index.ts";

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
