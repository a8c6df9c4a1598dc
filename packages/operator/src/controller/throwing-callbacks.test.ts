import { ConfigMap, kind, s } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, reference, referenceByLabels, step } from "../engine/index.ts";
import { enqueueFromMap } from "./index.ts";

const Thing = kind({ group: "test.levelset.dev", version: "v1", kind: "Thing", spec: s.object({ of: s.string() }) });

/** A callback that throws for some objects. */
function cope(name: string): string {
  if (name === "bad") throw new TypeError("callback failed");
  return name;
}

const look = step(Thing, "Look", { do: () => ok() });

describe("a callback of the operator that throws", () => {
  test.for([
    ["reference", { ...look, reads: [reference(Thing, ConfigMap, ({ spec }) => cope(spec.of))] }],
    ["labels", { ...look, reads: [referenceByLabels(Thing, ConfigMap, ({ spec }) => ({ of: cope(spec.of) }))] }],
  ] as const)("in a reference by %s does not block other objects", async ([via, reading]) => {
    await using cluster = await testCluster();
    const first = cluster.run(operator(Thing, [look]));
    for (const name of ["bad", "good"]) await cluster.apply(Thing, { name, spec: { of: name } });
    await cluster.untilIdle();
    await first.stop();
    // All of them come in one list.
    cluster.run(operator(Thing, [reading]));
    for (const name of ["bad", "good"]) await cluster.patch(Thing, name, { metadata: { labels: { again: "1" } } });
    await cluster.apply(Thing, { name: "later", spec: { of: "good" } });
    for (const name of ["bad", "good", "later"]) expect(await cluster.untilSettled(Thing, name)).toBeReady();
    expect(cluster.logs.find(({ level }) => level === "error")).toMatchObject({
      message: "operator callback failed",
      fields: { what: `${via} of ConfigMap`, err: { message: "callback failed" } },
    });
    expect(cluster.logs.filter(({ message }) => message === "watch interrupted")).toEqual([]);
  });

  test.for([
    ["map", enqueueFromMap(Thing, ConfigMap, ({ metadata }) => [{ namespace: "default", name: cope(metadata.name) }])],
    [
      "project",
      enqueueFromMap(Thing, ConfigMap, ({ metadata }) => [{ namespace: "default", name: metadata.name }], {
        project: ({ metadata, data }) => [cope(metadata.name), data],
      }),
    ],
  ] as const)("as %s of a watch does not block other changes", async ([, watch]) => {
    await using cluster = await testCluster();
    const seen: string[] = [];
    const note = step(Thing, "Note", { do: ({ name }) => (seen.push(name), ok()) });
    cluster.run(operator(Thing, [note], { watches: [watch] }));
    await cluster.apply(Thing, { name: "good", spec: { of: "x" } });
    for (const name of ["bad", "good"]) await cluster.apply(ConfigMap, { name, data: { a: "1" } });
    await cluster.untilIdle();
    seen.length = 0;
    for (const name of ["bad", "good"]) await cluster.patch(ConfigMap, name, { data: { a: "2" } });
    await cluster.untilIdle();
    expect(seen).toEqual(["good"]);
    expect(cluster.logs.filter(({ message }) => message === "watch interrupted")).toEqual([]);
  });

  test("as onRun does not stop the operator", async () => {
    await using cluster = await testCluster();
    cluster.run(operator(Thing, [look], { onRun: ({ key }) => void cope(key.name) }));
    for (const name of ["bad", "good"]) await cluster.apply(Thing, { name, spec: { of: "x" } });
    expect(await cluster.untilSettled(Thing, "good")).toBeReady();
    expect(cluster.logs.find(({ level }) => level === "error")?.fields).toMatchObject({ what: "onRun" });
  });
});
