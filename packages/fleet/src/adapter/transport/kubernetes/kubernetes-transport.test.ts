import { ConfigMap, isJsonObject, Job, silentLogger } from "@levelset/core";
import type { Fetch, JsonObject, JsonValue } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Cache } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import type { TransportApplyResult, ObjectLocator } from "../transport.ts";
import { decideJobRerun } from "./job-rerun.ts";
import { KubernetesTransport } from "./kubernetes-transport.ts";

const { signal } = new AbortController();

const CLAIM = { owner: { adapter: "dns", resourceId: "c1", generation: 1 }, adopt: false };
const DELETION = { ...CLAIM, policy: "Background", signal } as const;

/** A transport of one adapter with a test cluster. */
class TransportHarness {
  readonly transport: KubernetesTransport;
  readonly changes: string[] = [];

  constructor({ clock, fetch: reach }: TestCluster, fetch: Fetch = reach) {
    const cache = new Cache({ fetch, clock, random: seededRandom(1), logger: silentLogger });
    this.transport = new KubernetesTransport({ cache, adapter: "dns", clock });
    this.transport.onChange((id) => this.changes.push(id));
  }

  /** Finds the object of a resource and applies a manifest, as a run does. */
  async apply(manifest: JsonObject, generation: number = 1, recreate: boolean = false): Promise<TransportApplyResult> {
    const target = targetOf(manifest);
    const [live] = await this.transport.find(target, signal);
    const owner = { ...CLAIM.owner, generation };
    return (await this.transport.apply(target, manifest, live, { ...CLAIM, recreate, owner, signal })).as;
  }

  async remove(manifest: JsonObject): Promise<void> {
    const target = targetOf(manifest);
    const [live] = await this.transport.find(target, signal);
    if (live !== undefined) await this.transport.delete(target, live, DELETION);
  }
}

function targetOf(manifest: JsonObject): ObjectLocator {
  const metadata = isJsonObject(manifest["metadata"]) ? manifest["metadata"] : {};
  return {
    apiVersion: textOf(manifest["apiVersion"]),
    kind: textOf(manifest["kind"]),
    namespace: "default",
    by: { kind: "name", name: textOf(metadata["name"]) },
  };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function settings(data: JsonObject, name: string = "settings"): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data };
}

const JOB: JsonObject = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "check", namespace: "default" },
  spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "check", image: "check:1" }] } } },
};

describe("a manifest", () => {
  test("is applied, unchanged if applied again, and updated only in the fields it names", async () => {
    await using cluster = await testCluster();
    const harness = new TransportHarness(cluster);
    expect(await harness.apply(settings({ a: "1" }))).toBe("created");
    expect(await harness.apply(settings({ a: "1" }))).toBe("unchanged");
    await cluster.patch(ConfigMap, "settings", { data: { theirs: "x" } });
    expect(await harness.apply(settings({ a: "2" }))).toBe("updated");
    const stored = await cluster.get(ConfigMap, "settings");
    expect(stored?.data).toEqual({ a: "2", theirs: "x" });
    expect(stored?.metadata.labels).toEqual({ "fleet.levelset.dev/adapter": "dns" });
    expect(stored?.metadata.annotations).toEqual({ "fleet.levelset.dev/resource": "c1" });
  });

  test("is recreated on request", async () => {
    await using cluster = await testCluster();
    const harness = new TransportHarness(cluster);
    await harness.apply(settings({ a: "1" }));
    const before = await cluster.get(ConfigMap, "settings");
    expect(await harness.apply(settings({ a: "2" }), 2, true)).toBe("recreated");
    expect((await cluster.get(ConfigMap, "settings"))?.metadata.uid).not.toBe(before?.metadata.uid);
  });

  test("is found by labels, the newest generation first", async () => {
    await using cluster = await testCluster();
    for (const [name, generation] of [
      ["a", "1"],
      ["b", "3"],
      ["c", "2"],
    ] as const) {
      const annotations = { "hyperfleet.io/generation": generation };
      await cluster.create(ConfigMap, { name, labels: { of: "c1" }, annotations });
    }
    const { transport } = new TransportHarness(cluster);
    const target = { apiVersion: "v1", kind: "ConfigMap", namespace: "default" };
    const labelled = await transport.find({ ...target, by: { kind: "labels", labels: { of: "c1" } } }, signal);
    expect(labelled).toMatchObject([
      { kind: "ConfigMap", metadata: { name: "b" } },
      { metadata: { name: "c" } },
      { metadata: { name: "a" } },
    ]);
    expect(await transport.find({ ...target, by: { kind: "labels", labels: { of: "c2" } } }, signal)).toEqual([]);
  });

  test("of a kind that the cluster does not serve is absent, and cannot be applied", async () => {
    await using cluster = await testCluster();
    const harness = new TransportHarness(cluster);
    const strange = { apiVersion: "no.test/v1", kind: "Strange", metadata: { name: "x" } };
    expect(await harness.transport.find(targetOf(strange), signal)).toEqual([]);
    await expect(harness.apply(strange)).rejects.toMatchObject({
      name: "AdapterTransportError",
      isTransient: true,
      message: "Strange x: the cluster does not serve Strange in no.test/v1",
    });
  });

  test("that the server rejects is a permanent failure", async () => {
    await using cluster = await testCluster();
    const invalid = settings({ "not a key!": "x" });
    await expect(new TransportHarness(cluster).apply(invalid)).rejects.toMatchObject({ isTransient: false });
  });

  test("is never treated as absent when reading it is forbidden", async () => {
    await using cluster = await testCluster();
    const forbidden = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      reason: "Forbidden",
      code: 403,
      message: "no",
    };
    const blind = new TransportHarness(cluster, async (request) => {
      return new URL(request.url).pathname.endsWith("/settings")
        ? Response.json(forbidden, { status: 403 })
        : cluster.fetch(request);
    });
    await expect(blind.transport.find(targetOf(settings({})), signal)).rejects.toMatchObject({
      name: "AdapterTransportError",
      isTransient: true,
    });
  });
});

describe("a deletion", () => {
  test("deletes the object that was found, and succeeds if it is gone already", async () => {
    await using cluster = await testCluster();
    const harness = new TransportHarness(cluster);
    await harness.apply(settings({}));
    const target = targetOf(settings({}));
    const [found = {}] = await harness.transport.find(target, signal);
    await harness.remove(settings({}));
    const foreign = await cluster.create(ConfigMap, { name: "settings" });
    await harness.transport.delete(target, found, DELETION);
    expect(await cluster.get(ConfigMap, "settings")).toEqual(foreign);
    await cluster.delete(ConfigMap, "settings");
    await expect(harness.transport.delete(target, found, DELETION)).resolves.toBeUndefined();
  });

  test("that is blocked is not requested again, and the object is not recreated meanwhile", async () => {
    await using cluster = await testCluster();
    const harness = new TransportHarness(cluster);
    await harness.apply(settings({}));
    await cluster.patch(ConfigMap, "settings", { metadata: { finalizers: ["test/hold"] } });
    await harness.remove(settings({}));
    const writes = cluster.writes(ConfigMap, "settings");
    await harness.remove(settings({}));
    expect(cluster.writes(ConfigMap, "settings")).toBe(writes);
    await expect(harness.apply(settings({}), 2, true)).rejects.toMatchObject({ isTransient: true });
  });
});

describe("a Job", () => {
  const at = (time: number, type: string): JsonObject => ({
    status: { conditions: [{ type, status: "True", lastTransitionTime: new Date(time).toISOString() }] },
  });
  const MIN = 60_000;

  test.each<[string, JsonObject, string, number, number, string]>([
    ["running, with this manifest", {}, "h", 1, 0, "keep"],
    ["running, for another manifest", {}, "other", 1, 0, "rerun 1"],
    ["succeeded just now", at(0, "Complete"), "h", 1, 30 * MIN, "keep"],
    ["succeeded long ago", at(0, "Complete"), "h", 3, 30 * MIN + 1, "rerun 1"],
    ["succeeded, for another manifest", at(0, "Complete"), "other", 1, 1, "rerun 1"],
    ["failed just now", at(0, "Failed"), "h", 1, 10_000, "keep"],
    ["failed a while ago", at(0, "Failed"), "h", 1, 10_001, "rerun 2"],
    ["failed again", at(0, "Failed"), "h", 2, 20_000, "keep"],
    ["failed again, a while ago", at(0, "Failed"), "h", 2, 20_001, "rerun 3"],
    ["failed very often", at(0, "Failed"), "h", 40, 30 * MIN, "keep"],
    ["failed very often, long ago", at(0, "Failed"), "h", 40, 30 * MIN + 1, "rerun 41"],
  ])("%s", (_, live, hash, attempt, now, expected) => {
    const verdict = decideJobRerun(live, { hash: "h", attempt }, hash, now);
    expect(verdict.kind === "keep" ? "keep" : `rerun ${verdict.attempt}`).toBe(expected);
  });

  test("is run again at another generation, and the earlier result does not count", async () => {
    await using cluster = await testCluster();
    const harness = new TransportHarness(cluster);
    expect(await harness.apply(JOB, 1)).toBe("created");
    await cluster.patchStatus(Job, "check", { succeeded: 1 });
    expect(await harness.apply(JOB, 1)).toBe("unchanged");
    expect(await harness.apply(JOB, 2)).toBe("recreated");
    expect((await cluster.get(Job, "check"))?.status?.succeeded).toBeUndefined();
  });
});

test("a change of an applied object is reported with its fleet resource; our own writes are not", async () => {
  await using cluster = await testCluster();
  const harness = new TransportHarness(cluster);
  await harness.apply(settings({ a: "1" }));
  await cluster.untilIdle();
  await harness.apply(settings({ a: "2" }));
  await cluster.untilIdle();
  expect(harness.changes).toEqual([]);
  await cluster.patch(ConfigMap, "settings", { data: { a: "drifted" } });
  await cluster.untilIdle();
  expect(harness.changes).toEqual(["c1"]);
  await cluster.delete(ConfigMap, "settings");
  await cluster.untilIdle();
  expect(harness.changes).toEqual(["c1", "c1"]);
  await harness.apply(settings({ a: "3" }));
  await harness.remove(settings({ a: "3" }));
  await cluster.untilIdle();
  expect(harness.changes).toEqual(["c1", "c1"]);
  harness.transport.close();
});

test("a restarted adapter watches the objects that it finds by name or by labels", async () => {
  await using cluster = await testCluster();
  const labelled = { ...JOB, metadata: { name: "check", namespace: "default", labels: { of: "c1" } } };
  await new TransportHarness(cluster).apply(labelled);
  const restarted = new TransportHarness(cluster);
  const target = { ...targetOf(JOB), by: { kind: "labels", labels: { of: "c1" } } } as const;
  const [live] = await restarted.transport.find(target, signal);
  const options = { ...CLAIM, recreate: false, signal };
  expect((await restarted.transport.apply(target, labelled, live, options)).as).toBe("unchanged");
  await cluster.untilIdle();
  await cluster.patchStatus(Job, "check", { succeeded: 1 });
  await cluster.untilIdle();
  expect(restarted.changes).toEqual(["c1"]);
  restarted.transport.close();
});
