import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import type { TransportApplyResult, ObjectLocator } from "../transport.ts";
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

const TARGET: ObjectLocator = {
  apiVersion: "work.open-cluster-management.io/v1",
  kind: "ManifestWork",
  namespace: undefined,
  by: { kind: "name", name: "w" },
  targetCluster: "east",
};

const CLAIM = { owner: { adapter: "a", resourceId: "c1", generation: 1 }, adopt: false };

async function applyWork(
  transport: MaestroTransport,
  manifest: JsonObject,
  target: ObjectLocator = TARGET,
): Promise<TransportApplyResult> {
  const [live] = await transport.find(target, signal);
  return (await transport.apply(target, manifest, live, { recreate: true, ...CLAIM, signal })).as;
}

test("a work is created, unchanged at its generation, updated at another, and never recreated", async () => {
  const maestro = new FakeMaestro();
  const transport = new MaestroTransport(maestro);
  expect(await applyWork(transport, work(1))).toBe("created");
  maestro.works.set("east/w", { ...maestro.works.get("east/w"), status: { seen: true } });
  expect(await applyWork(transport, work(1))).toBe("unchanged");
  expect(await applyWork(transport, work(2))).toBe("updated");
  expect(maestro.works.get("east/w")).toMatchObject({ status: { seen: true }, metadata: { annotations: at(2) } });
  const [byLabels] = await transport.find({ ...TARGET, by: { kind: "labels", labels: { of: "c1" } } }, signal);
  expect(byLabels?.["metadata"]).toMatchObject({ name: "w" });
});

describe("mistakes are reported with a clear message", () => {
  test.each([
    [
      "a manifest without its generation",
      work(1, {}),
      TARGET,
      "spec.workload.manifests[0] needs the annotation",
      false,
    ],
    ["a work without its generation", { ...work(1), metadata: { name: "w" } }, TARGET, "the ManifestWork needs", false],
    ["an invalid generation", work(0), TARGET, "with a number above 0", false],
    ["no consumer", work(1), { ...TARGET, targetCluster: "" }, "target_cluster is empty", false],
    [
      "a consumer that is not registered",
      work(1),
      { ...TARGET, targetCluster: "west" },
      "ManifestWork w for west: the consumer west is not registered",
      true,
    ],
  ])("%s", async (_, manifest, target, message, isTransient) => {
    const failure = applyWork(new MaestroTransport(new FakeMaestro()), manifest, target);
    await expect(failure).rejects.toMatchObject({ message: expect.stringContaining(message) as string, isTransient });
  });

  test("an unreachable Maestro is not an absence, and recovers", async () => {
    const maestro = new FakeMaestro();
    const transport = new MaestroTransport(maestro);
    await applyWork(transport, work(1));
    maestro.isDown = true;
    await expect(transport.find(TARGET, signal)).rejects.toMatchObject({ isTransient: true });
    maestro.isDown = false;
    expect(await transport.find(TARGET, signal)).toHaveLength(1);
  });
});

test("a deletion is requested once, and the work exists until the agent has finished", async () => {
  const maestro = new FakeMaestro();
  const transport = new MaestroTransport(maestro);
  await applyWork(transport, work(1));
  for (let n = 0; n < 2; n += 1) {
    const [live = {}] = await transport.find(TARGET, signal);
    await transport.delete(TARGET, live, { ...CLAIM, policy: "Background", signal });
  }
  expect(maestro.deletions).toBe(1);
  expect(await transport.find(TARGET, signal)).toMatchObject([
    { metadata: { deletionTimestamp: "2027-01-15T08:00:00Z" } },
  ]);
  maestro.finish("east", "w");
  expect(await transport.find(TARGET, signal)).toEqual([]);
});

describe("a work of another owner", () => {
  const SECOND = { owner: { adapter: "b", resourceId: "c2", generation: 1 }, adopt: true };

  test("is neither changed nor deleted, even if it appears after the lookup", async () => {
    const maestro = new FakeMaestro();
    const transport = new MaestroTransport(maestro);
    await applyWork(transport, work(1));
    const before = maestro.works.get("east/w");
    const second = transport.apply(TARGET, work(2), undefined, { recreate: false, ...SECOND, signal });
    await expect(second).rejects.toMatchObject({
      message: expect.stringContaining("NotOurs: ManifestWork w belongs to resource c1 of adapter a") as string,
    });
    await transport.delete(TARGET, before ?? {}, { ...SECOND, policy: "Background", signal });
    expect(maestro.works.get("east/w")).toEqual(before);
  });

  test("that appears between read and create is not overwritten", async () => {
    const maestro = new FakeMaestro();
    const foreign = { metadata: { name: "w", uid: "theirs" } };
    const create = maestro.create.bind(maestro);
    maestro.create = async (consumer, created) => {
      maestro.works.set("east/w", foreign);
      return create(consumer, created);
    };
    await expect(applyWork(new MaestroTransport(maestro), work(1))).rejects.toThrow("NotOurs");
    expect(maestro.works.get("east/w")).toEqual(foreign);
  });

  test("that replaces ours between read and change or deletion is left alone", async () => {
    const maestro = new FakeMaestro();
    const transport = new MaestroTransport(maestro);
    await applyWork(transport, work(1));
    const [live = {}] = await transport.find(TARGET, signal);
    const foreign = { kind: "ManifestWork", metadata: { name: "w", uid: "theirs", resourceVersion: "1" } };
    maestro.works.set("east/w", foreign);
    const changed = transport.apply(TARGET, work(2), live, { recreate: false, ...CLAIM, signal });
    await expect(changed).rejects.toThrow("NotOurs: ManifestWork w exists and no adapter owns it");
    await transport.delete(TARGET, live, { ...CLAIM, policy: "Background", signal });
    expect(maestro.works.get("east/w")).toEqual(foreign);
  });

  test("without owner labels is adopted on request; one of version 0.1 is recognised by its resource, and both are labelled", async () => {
    const maestro = new FakeMaestro();
    const transport = new MaestroTransport(maestro);
    const ownLabels = { "fleet.levelset.dev/adapter": "a" };
    for (const [labels, adopt] of [
      [{}, true],
      [{ "hyperfleet.io/cluster-id": "c1" }, false],
    ] as const) {
      maestro.works.set("east/w", { kind: "ManifestWork", metadata: { name: "w", annotations: at(1), labels } });
      const [live] = await transport.find(TARGET, signal);
      const options = { recreate: false, owner: CLAIM.owner, adopt, signal };
      expect((await transport.apply(TARGET, work(1), live, options)).as).toBe("updated");
      expect(maestro.works.get("east/w")).toMatchObject({ metadata: { labels: { ...labels, ...ownLabels } } });
      expect(await applyWork(transport, work(1))).toBe("unchanged");
    }
    maestro.works.set("east/w", { kind: "ManifestWork", metadata: { name: "w", annotations: at(1) } });
    await expect(applyWork(transport, work(1))).rejects.toThrow("NotOurs");
  });
});
