import { ConfigMap, isJsonObject, Job, silentLogger } from "@levelset/core";
import type { Fetch, JsonObject, JsonValue } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Cache } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import type { AppliedAs, Target } from "../transport.ts";
import { judgeJob } from "./job-rerun.ts";
import { KubernetesTransport } from "./kubernetes-transport.ts";

const { signal } = new AbortController();

const CLAIM = { mark: { adapter: "dns", resourceId: "c1", generation: 1 }, adopt: false };
const DELETION = { ...CLAIM, policy: "Background", signal } as const;

/** An adapter's hold on a cluster. */
class Hold {
  readonly transport: KubernetesTransport;
  readonly changes: string[] = [];

  constructor({ clock, fetch: reach }: TestCluster, fetch: Fetch = reach) {
    const cache = new Cache({ fetch, clock, random: seededRandom(1), logger: silentLogger });
    this.transport = new KubernetesTransport({ cache, adapter: "dns", clock });
    this.transport.onChange((id) => this.changes.push(id));
  }

  /** Looks for a resource and applies a manifest to it, as a run does. */
  async bring(manifest: JsonObject, generation: number = 1, isRecreated: boolean = false): Promise<AppliedAs> {
    const target = targetOf(manifest);
    const [live] = await this.transport.find(target, signal);
    const mark = { ...CLAIM.mark, generation };
    return (await this.transport.apply(target, manifest, live, { ...CLAIM, isRecreated, mark, signal })).as;
  }

  async remove(manifest: JsonObject): Promise<void> {
    const target = targetOf(manifest);
    const [live] = await this.transport.find(target, signal);
    if (live !== undefined) await this.transport.remove(target, live, DELETION);
  }
}

function targetOf(manifest: JsonObject): Target {
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
  test("is applied, left alone when nothing changed, and changed where it names something", async () => {
    await using cluster = await testCluster();
    const hold = new Hold(cluster);
    expect(await hold.bring(settings({ a: "1" }))).toBe("created");
    expect(await hold.bring(settings({ a: "1" }))).toBe("unchanged");
    await cluster.patch(ConfigMap, "settings", { data: { theirs: "x" } });
    expect(await hold.bring(settings({ a: "2" }))).toBe("updated");
    const kept = await cluster.get(ConfigMap, "settings");
    expect(kept?.data).toEqual({ a: "2", theirs: "x" });
    expect(kept?.metadata.labels).toEqual({ "fleet.levelset.dev/adapter": "dns" });
    expect(kept?.metadata.annotations).toEqual({ "fleet.levelset.dev/resource": "c1" });
  });

  test("is made anew when asked for", async () => {
    await using cluster = await testCluster();
    const hold = new Hold(cluster);
    await hold.bring(settings({ a: "1" }));
    const before = await cluster.get(ConfigMap, "settings");
    expect(await hold.bring(settings({ a: "2" }), 2, true)).toBe("recreated");
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
    const { transport } = new Hold(cluster);
    const target = { apiVersion: "v1", kind: "ConfigMap", namespace: "default" };
    const labelled = await transport.find({ ...target, by: { kind: "labels", labels: { of: "c1" } } }, signal);
    expect(labelled).toMatchObject([
      { kind: "ConfigMap", metadata: { name: "b" } },
      { metadata: { name: "c" } },
      { metadata: { name: "a" } },
    ]);
    expect(await transport.find({ ...target, by: { kind: "labels", labels: { of: "c2" } } }, signal)).toEqual([]);
  });

  test("of a kind that the cluster does not have is absent, and cannot be applied", async () => {
    await using cluster = await testCluster();
    const hold = new Hold(cluster);
    const strange = { apiVersion: "no.test/v1", kind: "Strange", metadata: { name: "x" } };
    expect(await hold.transport.find(targetOf(strange), signal)).toEqual([]);
    await expect(hold.bring(strange)).rejects.toMatchObject({
      name: "TransportFailure",
      isTransient: true,
      message: "Strange x: the cluster does not serve Strange in no.test/v1",
    });
  });

  test("that the server refuses is a failure that trying again does not help", async () => {
    await using cluster = await testCluster();
    const bad = settings({ "not a key!": "x" });
    await expect(new Hold(cluster).bring(bad)).rejects.toMatchObject({ isTransient: false });
  });

  test("is never taken for absent when it may not be looked at", async () => {
    await using cluster = await testCluster();
    const forbidden = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      reason: "Forbidden",
      code: 403,
      message: "no",
    };
    const blind = new Hold(cluster, async (request) => {
      return new URL(request.url).pathname.endsWith("/settings")
        ? Response.json(forbidden, { status: 403 })
        : cluster.fetch(request);
    });
    await expect(blind.transport.find(targetOf(settings({})), signal)).rejects.toMatchObject({
      name: "TransportFailure",
      isTransient: true,
    });
  });
});

describe("a deletion", () => {
  test("is of the one that was found, and content when it is gone already", async () => {
    await using cluster = await testCluster();
    const hold = new Hold(cluster);
    await hold.bring(settings({}));
    const target = targetOf(settings({}));
    const [found = {}] = await hold.transport.find(target, signal);
    await hold.remove(settings({}));
    const theirs = await cluster.create(ConfigMap, { name: "settings" });
    await hold.transport.remove(target, found, DELETION);
    expect(await cluster.get(ConfigMap, "settings")).toEqual(theirs);
    await cluster.delete(ConfigMap, "settings");
    await expect(hold.transport.remove(target, found, DELETION)).resolves.toBeUndefined();
  });

  test("that something holds up is not asked for again, and nothing is made anew meanwhile", async () => {
    await using cluster = await testCluster();
    const hold = new Hold(cluster);
    await hold.bring(settings({}));
    await cluster.patch(ConfigMap, "settings", { metadata: { finalizers: ["test/hold"] } });
    await hold.remove(settings({}));
    const writes = cluster.writes(ConfigMap, "settings");
    await hold.remove(settings({}));
    expect(cluster.writes(ConfigMap, "settings")).toBe(writes);
    await expect(hold.bring(settings({}), 2, true)).rejects.toMatchObject({ isTransient: true });
  });
});

describe("a Job", () => {
  const at = (time: number, type: string): JsonObject => ({
    status: { conditions: [{ type, status: "True", lastTransitionTime: new Date(time).toISOString() }] },
  });
  const MIN = 60_000;

  test.each<[string, JsonObject, string, number, number, string]>([
    ["running, wanted", {}, "h", 1, 0, "keep"],
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
    const verdict = judgeJob(live, { hash: "h", attempt }, hash, now);
    expect(verdict.kind === "keep" ? "keep" : `rerun ${verdict.attempt}`).toBe(expected);
  });

  test("is run again at another generation, and its result is not that of the one before", async () => {
    await using cluster = await testCluster();
    const hold = new Hold(cluster);
    expect(await hold.bring(JOB, 1)).toBe("created");
    await cluster.patchStatus(Job, "check", { succeeded: 1 });
    expect(await hold.bring(JOB, 1)).toBe("unchanged");
    expect(await hold.bring(JOB, 2)).toBe("recreated");
    expect((await cluster.get(Job, "check"))?.status?.succeeded).toBeUndefined();
  });
});

test("a change of what was applied is told with the resource it is for; our own writes are not", async () => {
  await using cluster = await testCluster();
  const hold = new Hold(cluster);
  await hold.bring(settings({ a: "1" }));
  await cluster.rest();
  await hold.bring(settings({ a: "2" }));
  await cluster.rest();
  expect(hold.changes).toEqual([]);
  await cluster.patch(ConfigMap, "settings", { data: { a: "drifted" } });
  await cluster.rest();
  expect(hold.changes).toEqual(["c1"]);
  await cluster.delete(ConfigMap, "settings");
  await cluster.rest();
  expect(hold.changes).toEqual(["c1", "c1"]);
  await hold.bring(settings({ a: "3" }));
  await hold.remove(settings({ a: "3" }));
  await cluster.rest();
  expect(hold.changes).toEqual(["c1", "c1"]);
  hold.transport.close();
});

test("an adapter that is started anew hears of changes of what it finds, by name or by labels", async () => {
  await using cluster = await testCluster();
  const labelled = { ...JOB, metadata: { name: "check", namespace: "default", labels: { of: "c1" } } };
  await new Hold(cluster).bring(labelled);
  const anew = new Hold(cluster);
  const target = { ...targetOf(JOB), by: { kind: "labels", labels: { of: "c1" } } } as const;
  const [live] = await anew.transport.find(target, signal);
  const options = { ...CLAIM, isRecreated: false, signal };
  expect((await anew.transport.apply(target, labelled, live, options)).as).toBe("unchanged");
  await cluster.rest();
  await cluster.patchStatus(Job, "check", { succeeded: 1 });
  await cluster.rest();
  expect(anew.changes).toEqual(["c1"]);
  anew.transport.close();
});
