import { ConfigMap, kind, s } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, reference, selection, step } from "../step/index.ts";
import { mapping } from "./index.ts";

const Thing = kind({ group: "test.levelset.dev", version: "v1", kind: "Thing", spec: s.object({ of: s.string() }) });

/** A function of an author who did not think of everything. */
function cope(name: string): string {
  if (name === "bad") throw new TypeError("cannot cope with it");
  return name;
}

const look = step(Thing, "Look", { do: () => ok() });

describe("a function of the operator's author that throws", () => {
  test.for([
    ["reference", { ...look, reads: [reference(Thing, ConfigMap, ({ spec }) => cope(spec.of))] }],
    ["labels", { ...look, reads: [selection(Thing, ConfigMap, ({ spec }) => ({ of: cope(spec.of) }))] }],
  ] as const)("about what an object reads, by %s, keeps no object from being looked at", async ([via, reading]) => {
    await using cluster = await testCluster();
    const first = cluster.run(operator(Thing, [look]));
    for (const name of ["bad", "good"]) await cluster.apply(Thing, { name, spec: { of: name } });
    await cluster.rest();
    await first.stop();
    // All of them come in one list.
    cluster.run(operator(Thing, [reading]));
    for (const name of ["bad", "good"]) await cluster.patch(Thing, name, { metadata: { labels: { again: "1" } } });
    await cluster.apply(Thing, { name: "later", spec: { of: "good" } });
    for (const name of ["bad", "good", "later"]) expect(await cluster.settled(Thing, name)).toBeReady();
    expect(cluster.logs.find(({ level }) => level === "error")).toMatchObject({
      message: "the operator has a defect",
      fields: { what: `${via} of ConfigMap`, error: { message: "cannot cope with it" } },
    });
    expect(cluster.logs.filter(({ message }) => message === "watch interrupted")).toEqual([]);
  });

  test.for([
    ["map", mapping(Thing, ConfigMap, ({ metadata }) => [{ namespace: "default", name: cope(metadata.name) }])],
    [
      "project",
      mapping(Thing, ConfigMap, ({ metadata }) => [{ namespace: "default", name: metadata.name }], {
        project: ({ metadata, data }) => [cope(metadata.name), data],
      }),
    ],
  ] as const)("as %s of a watch keeps no other change from waking anybody", async ([, watch]) => {
    await using cluster = await testCluster();
    const seen: string[] = [];
    const note = step(Thing, "Note", { do: ({ name }) => (seen.push(name), ok()) });
    cluster.run(operator(Thing, [note], { watches: [watch] }));
    await cluster.apply(Thing, { name: "good", spec: { of: "x" } });
    for (const name of ["bad", "good"]) await cluster.apply(ConfigMap, { name, data: { a: "1" } });
    await cluster.rest();
    seen.length = 0;
    for (const name of ["bad", "good"]) await cluster.patch(ConfigMap, name, { data: { a: "2" } });
    await cluster.rest();
    expect(seen).toEqual(["good"]);
    expect(cluster.logs.filter(({ message }) => message === "watch interrupted")).toEqual([]);
  });

  test("as onRun ends no operator", async () => {
    await using cluster = await testCluster();
    cluster.run(operator(Thing, [look], { onRun: ({ key }) => void cope(key.name) }));
    for (const name of ["bad", "good"]) await cluster.apply(Thing, { name, spec: { of: "x" } });
    expect(await cluster.settled(Thing, "good")).toBeReady();
    expect(cluster.logs.find(({ level }) => level === "error")?.fields).toMatchObject({ what: "onRun" });
  });
});
