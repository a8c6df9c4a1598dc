import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import type { AppliedAs, Target } from "../transport.ts";
import { FakeMaestro } from "./fake-maestro.fixture.ts";
import { MaestroTransport } from "./maestro-transport.ts";

const { signal } = new AbortController();

function at(generation: number): JsonObject {
  return { "hyperfleet.io/generation": String(generation) };
}

function work(generation: number, inner: JsonObject = { annotations: at(generation) }): JsonObject {
  return {
    apiVersion: "work.open-cluster-management.io/v1",
    kind: "ManifestWork",
    metadata: { name: "w", annotations: at(generation), labels: { of: "c1" } },
    spec: { workload: { manifests: [{ kind: "ConfigMap", metadata: { name: "m", ...inner } }] } },
  };
}

const TARGET: Target = {
  apiVersion: "work.open-cluster-management.io/v1",
  kind: "ManifestWork",
  namespace: undefined,
  by: { kind: "name", name: "w" },
  targetCluster: "east",
};

const CLAIM = { mark: { adapter: "a", resourceId: "c1", generation: 1 }, adopt: false };

async function bring(transport: MaestroTransport, manifest: JsonObject, target: Target = TARGET): Promise<AppliedAs> {
  const [live] = await transport.find(target, signal);
  return (await transport.apply(target, manifest, live, { isRecreated: true, ...CLAIM, signal })).as;
}

test("a work is made, left alone at its generation, and changed at another, never made anew", async () => {
  const maestro = new FakeMaestro();
  const transport = new MaestroTransport(maestro);
  expect(await bring(transport, work(1))).toBe("created");
  maestro.works.set("east/w", { ...maestro.works.get("east/w"), status: { seen: true } });
  expect(await bring(transport, work(1))).toBe("unchanged");
  expect(await bring(transport, work(2))).toBe("updated");
  expect(maestro.works.get("east/w")).toMatchObject({ status: { seen: true }, metadata: { annotations: at(2) } });
  const [byLabels] = await transport.find({ ...TARGET, by: { kind: "labels", labels: { of: "c1" } } }, signal);
  expect(byLabels?.["metadata"]).toMatchObject({ name: "w" });
});

describe("what is wrong is told cleanly", () => {
  test.each([
    [
      "a manifest without its generation",
      work(1, {}),
      TARGET,
      "spec.workload.manifests[0] needs the annotation",
      false,
    ],
    ["a work without its generation", { ...work(1), metadata: { name: "w" } }, TARGET, "the ManifestWork needs", false],
    ["a generation that is none", work(0), TARGET, "with a number above 0", false],
    ["no consumer", work(1), { ...TARGET, targetCluster: "" }, "target_cluster is empty", false],
    [
      "a consumer that is not registered",
      work(1),
      { ...TARGET, targetCluster: "west" },
      "ManifestWork w for west: the consumer west is not registered",
      true,
    ],
  ])("%s", async (_, manifest, target, message, isTransient) => {
    const failure = bring(new MaestroTransport(new FakeMaestro()), manifest, target);
    await expect(failure).rejects.toMatchObject({ message: expect.stringContaining(message) as string, isTransient });
  });

  test("a Maestro that is down is no absence, and heals by itself", async () => {
    const maestro = new FakeMaestro();
    const transport = new MaestroTransport(maestro);
    await bring(transport, work(1));
    maestro.isDown = true;
    await expect(transport.find(TARGET, signal)).rejects.toMatchObject({ isTransient: true });
    maestro.isDown = false;
    expect(await transport.find(TARGET, signal)).toHaveLength(1);
  });
});

test("a deletion is asked for once, and the work is there until the other side has finished", async () => {
  const maestro = new FakeMaestro();
  const transport = new MaestroTransport(maestro);
  await bring(transport, work(1));
  for (let n = 0; n < 2; n += 1) {
    const [live = {}] = await transport.find(TARGET, signal);
    await transport.remove(TARGET, live, { ...CLAIM, policy: "Background", signal });
  }
  expect(maestro.deletions).toBe(1);
  expect(await transport.find(TARGET, signal)).toMatchObject([
    { metadata: { deletionTimestamp: "2027-01-15T08:00:00Z" } },
  ]);
  maestro.finish("east", "w");
  expect(await transport.find(TARGET, signal)).toEqual([]);
});

describe("a work of another owner", () => {
  const SECOND = { mark: { adapter: "b", resourceId: "c2", generation: 1 }, adopt: true };

  test("is neither changed nor deleted, also if it appears after it was looked for", async () => {
    const maestro = new FakeMaestro();
    const transport = new MaestroTransport(maestro);
    await bring(transport, work(1));
    const before = maestro.works.get("east/w");
    const second = transport.apply(TARGET, work(2), undefined, { isRecreated: false, ...SECOND, signal });
    await expect(second).rejects.toMatchObject({
      message: expect.stringContaining("NotOurs: ManifestWork w belongs to resource c1 of adapter a") as string,
    });
    await transport.remove(TARGET, before ?? {}, { ...SECOND, policy: "Background", signal });
    expect(maestro.works.get("east/w")).toEqual(before);
  });

  test("that appears between read and create is not overwritten", async () => {
    const maestro = new FakeMaestro();
    const theirs = { metadata: { name: "w", uid: "theirs" } };
    const create = maestro.create.bind(maestro);
    maestro.create = async (consumer, made) => {
      maestro.works.set("east/w", theirs);
      return create(consumer, made);
    };
    await expect(bring(new MaestroTransport(maestro), work(1))).rejects.toThrow("NotOurs");
    expect(maestro.works.get("east/w")).toEqual(theirs);
  });

  test("that takes the place of ours between read and change or deletion is left alone", async () => {
    const maestro = new FakeMaestro();
    const transport = new MaestroTransport(maestro);
    await bring(transport, work(1));
    const [live = {}] = await transport.find(TARGET, signal);
    const theirs = { kind: "ManifestWork", metadata: { name: "w", uid: "theirs", resourceVersion: "1" } };
    maestro.works.set("east/w", theirs);
    const changed = transport.apply(TARGET, work(2), live, { isRecreated: false, ...CLAIM, signal });
    await expect(changed).rejects.toThrow("NotOurs: ManifestWork w exists and no adapter owns it");
    await transport.remove(TARGET, live, { ...CLAIM, policy: "Background", signal });
    expect(maestro.works.get("east/w")).toEqual(theirs);
  });

  test("without marks is adopted on request; one of version 0.1 is recognised by its resource, and both are marked", async () => {
    const maestro = new FakeMaestro();
    const transport = new MaestroTransport(maestro);
    const mine = { "fleet.levelset.dev/adapter": "a" };
    for (const [labels, adopt] of [
      [{}, true],
      [{ "hyperfleet.io/cluster-id": "c1" }, false],
    ] as const) {
      maestro.works.set("east/w", { kind: "ManifestWork", metadata: { name: "w", annotations: at(1), labels } });
      const [live] = await transport.find(TARGET, signal);
      const options = { isRecreated: false, mark: CLAIM.mark, adopt, signal };
      expect((await transport.apply(TARGET, work(1), live, options)).as).toBe("updated");
      expect(maestro.works.get("east/w")).toMatchObject({ metadata: { labels: { ...labels, ...mine } } });
      expect(await bring(transport, work(1))).toBe("unchanged");
    }
    maestro.works.set("east/w", { kind: "ManifestWork", metadata: { name: "w", annotations: at(1) } });
    await expect(bring(transport, work(1))).rejects.toThrow("NotOurs");
  });
});
