import { ConfigMap, Deployment, isAbortError, kind, PAUSED_ANNOTATION, s, TransportError } from "@levelset/core";
import type { Kind, ObjectOf } from "@levelset/core";
import { isWatch, seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Client, WaitError } from "../index.ts";
import type { WaitOptions, WaitProgress } from "../index.ts";

const Widget = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Widget",
  spec: s.object({ size: s.int32().default(1) }),
});
const KEY = { namespace: "default", name: "a" };

function clientOf(cluster: TestCluster): Client {
  const { clock } = cluster;
  return new Client({ fetch: cluster.faults.fetch, fieldManager: "test", retry: { clock, random: seededRandom(1) } });
}

/** A wait in progress, and its outcome once it has ended. */
interface Waiting {
  readonly states: readonly string[];
  readonly end: { readonly value?: unknown; readonly error?: unknown } | undefined;
}

function start<K extends Kind>(cluster: TestCluster, of: K, options: Partial<WaitOptions<ObjectOf<K>>> = {}): Waiting {
  const states: string[] = [];
  const waiting: { states: string[]; end: Waiting["end"] } = { states, end: undefined };
  const onProgress = ({ state, message }: WaitProgress<ObjectOf<K>>): void => void states.push(`${state}: ${message}`);
  clientOf(cluster)
    .waitUntilReady(of, KEY, { onProgress, ...options })
    .then(
      (value) => (waiting.end = { value }),
      (error: unknown) => (waiting.end = { error }),
    );
  return waiting;
}

/** A controller's report about one generation. */
async function report(cluster: TestCluster, observedGeneration: number, ready: object): Promise<void> {
  const condition = {
    type: "Ready",
    reason: "Test",
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
    ...ready,
  };
  await cluster.patchStatus(Widget, "a", { observedGeneration, conditions: [condition] });
}

describe("waiting until an object is ready", () => {
  test("reports a paused or suspended object as Paused until it is ready", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    await cluster.create(Widget, { name: "a", spec: {}, annotations: { [PAUSED_ANNOTATION]: "true" } });
    await report(cluster, 1, { status: "False", severity: "Info", message: "waits" });
    const waiting = start(cluster, Widget);
    await cluster.untilIdle();
    await cluster.patch(Widget, "a", { metadata: { annotations: { [PAUSED_ANNOTATION]: null } } });
    await cluster.untilIdle();
    await report(cluster, 1, { status: "False", severity: "Info", reason: "Suspended", message: "suspended" });
    await cluster.untilIdle();
    await report(cluster, 1, { status: "True", message: "done" });
    await cluster.untilIdle();
    expect(waiting.states).toEqual(["Paused: waits", "Progressing: waits", "Paused: suspended"]);
    expect(waiting.end?.value).toMatchObject({ metadata: { name: "a" } });
  });

  test("waits from creation to Ready for the latest generation, and reports each state", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    const waiting = start(cluster, Widget);
    await cluster.untilIdle();
    await cluster.create(Widget, { name: "a", spec: {} });
    await cluster.untilIdle();
    await report(cluster, 1, { status: "False", severity: "Info", message: "pulling" });
    await cluster.untilIdle();
    await report(cluster, 1, { status: "False", severity: "Warning", message: "registry is down" });
    await cluster.untilIdle();
    expect(waiting.end).toBeUndefined();
    await report(cluster, 1, { status: "True" });
    await cluster.untilIdle();
    expect(waiting.states).toEqual([
      "Unknown: does not exist yet",
      "Unknown: no controller has observed it yet",
      "Progressing: pulling",
      "Degraded: registry is down",
    ]);
    expect(waiting.end?.value).toMatchObject({ metadata: { name: "a" }, status: { observedGeneration: 1 } });
  });

  test("resolves at once for an object that is ready already", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a", data: { x: "1" } });
    const waiting = start(cluster, ConfigMap);
    await cluster.untilIdle();
    expect(waiting).toMatchObject({ states: [], end: { value: { data: { x: "1" } } } });
  });

  test("ignores Ready of an older, a later and an unspecified generation", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    await cluster.create(Widget, { name: "a", spec: {} });
    await report(cluster, 1, { status: "True" });
    await cluster.patch(Widget, "a", { spec: { size: 2 } });
    const waiting = start(cluster, Widget);
    await cluster.untilIdle();
    await report(cluster, 3, { status: "True" });
    await cluster.untilIdle();
    await cluster.patchStatus(Widget, "a", { observedGeneration: null });
    await cluster.untilIdle();
    expect(waiting.end).toBeUndefined();
    expect(waiting.states).toEqual([
      "Progressing: observed generation 1 of 2",
      "Progressing: the status is about generation 3, ahead of generation 2",
      "Unknown: generation 2 is not observed yet",
    ]);
    await report(cluster, 2, { status: "True" });
    await cluster.untilIdle();
    expect(waiting.end?.value).toMatchObject({ metadata: { generation: 2 } });
  });

  test("with a generation waits for that one at least, and resolves with a later one that is ready", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    await cluster.create(Widget, { name: "a", spec: {} });
    await report(cluster, 1, { status: "True" });
    const waiting = start(cluster, Widget, { generation: 2 });
    await cluster.untilIdle();
    expect(waiting.states).toEqual(["Progressing: read generation 1, waiting for generation 2"]);
    await cluster.patch(Widget, "a", { spec: { size: 2 } });
    await cluster.patch(Widget, "a", { spec: { size: 3 } });
    await cluster.untilIdle();
    await report(cluster, 2, { status: "True" });
    await cluster.untilIdle();
    expect(waiting.end).toBeUndefined();
    await report(cluster, 3, { status: "True" });
    await cluster.untilIdle();
    expect(waiting.end?.value).toMatchObject({ metadata: { generation: 3 }, spec: { size: 3 } });
  });

  test("rejects when the object has failed for its latest generation, or continues with untilRecovered", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    await cluster.create(Widget, { name: "a", spec: {} });
    const [strict, patient] = [start(cluster, Widget), start(cluster, Widget, { untilRecovered: true })];
    await cluster.untilIdle();
    await report(cluster, 1, { status: "False", severity: "Error", reason: "BadImage", message: "no such image" });
    await cluster.untilIdle();
    expect(strict.end?.error).toBeInstanceOf(WaitError);
    expect(strict.end?.error).toMatchObject({
      reason: "Failed",
      message: "Widget default/a has failed: BadImage: no such image",
      object: { metadata: { name: "a" } },
      progress: { state: "Failed", reason: "BadImage" },
    });
    expect(patient.states.at(-1)).toBe("Failed: no such image");
    await report(cluster, 1, { status: "True" });
    await cluster.untilIdle();
    expect(patient.end).toHaveProperty("value");
  });

  test("ignores a failure of an older generation", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    await cluster.create(Widget, { name: "a", spec: {} });
    await report(cluster, 1, { status: "False", severity: "Error", message: "no such image" });
    await cluster.patch(Widget, "a", { spec: { size: 2 } });
    const waiting = start(cluster, Widget);
    await cluster.untilIdle();
    expect(waiting.end).toBeUndefined();
  });

  test.for(["deleted", "being deleted", "recreated"] as const)("rejects when the object is %s", async (how) => {
    await using cluster = await testCluster({ kinds: [Widget] });
    const finalizers = how === "being deleted" ? ["example.com/f"] : [];
    await cluster.create(Widget, { name: "a", spec: {}, finalizers });
    const waiting = start(cluster, Widget);
    await cluster.untilIdle();
    // The watch misses the deletion.
    if (how === "recreated") cluster.faults.cutWatches();
    await cluster.delete(Widget, "a");
    if (how === "recreated") await cluster.create(Widget, { name: "a", spec: {} });
    await cluster.clock.advance(60_000);
    expect(waiting.end?.error).toMatchObject({ name: "WaitError", reason: "Deleted" });
  });

  test("rejects for another UID than the expected one", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    await cluster.create(Widget, { name: "a", spec: {} });
    const waiting = start(cluster, Widget, { uid: "another" });
    await cluster.untilIdle();
    expect(waiting.end?.error).toMatchObject({ reason: "Deleted" });
  });

  test("waits for the pods of a Deployment", async () => {
    await using cluster = await testCluster({ workloads: {} });
    const labels = { app: "a" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    await cluster.create(Deployment, { name: "a", spec: { replicas: 2, selector: { matchLabels: labels }, template } });
    const waiting = start(cluster, Deployment);
    await cluster.clock.advance(120_000);
    await cluster.untilIdle();
    expect(waiting.end?.value).toMatchObject({ status: { readyReplicas: 2 } });
    expect(waiting.states.length).toBeGreaterThan(0);
  });
});

describe("waiting until an object is available", () => {
  test("resolves by Available, regardless of Ready", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    await cluster.create(Widget, { name: "a", spec: {} });
    const waiting = start(cluster, Widget, { for: "available" });
    await cluster.untilIdle();
    const lastTransitionTime = "2026-01-01T00:00:00Z";
    const conditions = [
      { type: "Ready", status: "False", severity: "Info", lastTransitionTime },
      { type: "Available", status: "True", lastTransitionTime },
    ];
    await cluster.patchStatus(Widget, "a", { observedGeneration: 1, conditions });
    await cluster.untilIdle();
    expect(waiting.end).toHaveProperty("value");
  });

  test("rejects for an object that is ready without such a condition", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    await cluster.create(Widget, { name: "a", spec: {} });
    const waiting = start(cluster, Widget, { for: "available" });
    await cluster.untilIdle();
    expect(waiting.end).toBeUndefined();
    await report(cluster, 1, { status: "True" });
    await cluster.untilIdle();
    expect(waiting.end?.error).toMatchObject({ reason: "NoSuchCondition", message: expect.stringContaining("Ready") });
  });
});

describe("waiting until an object is deleted", () => {
  test("resolves at once when there is none", async () => {
    await using cluster = await testCluster();
    const waiting = start(cluster, ConfigMap, { for: "deleted" });
    await cluster.untilIdle();
    expect(waiting.end).toEqual({ value: undefined });
  });

  test("resolves at once when its kind is not served", async () => {
    await using cluster = await testCluster();
    const waiting = start(cluster, Widget, { for: "deleted" });
    await cluster.untilIdle();
    expect(waiting.end).toEqual({ value: undefined });
  });

  test("reports the finalizers that hold it, and resolves with its last version", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a", finalizers: ["example.com/f"] });
    const waiting = start(cluster, ConfigMap, { for: "deleted" });
    await cluster.untilIdle();
    await cluster.delete(ConfigMap, "a");
    await cluster.untilIdle();
    expect(waiting.states).toEqual(["Ready: not being deleted", "Deleting: held by example.com/f"]);
    await cluster.patch(ConfigMap, "a", { metadata: { finalizers: null } });
    await cluster.untilIdle();
    expect(waiting.end?.value).toMatchObject({ metadata: { name: "a" } });
  });

  test("treats a recreated object of the same name as another object", async () => {
    await using cluster = await testCluster();
    const { metadata } = await cluster.create(ConfigMap, { name: "a" });
    const waiting = start(cluster, ConfigMap, { for: "deleted" });
    await cluster.untilIdle();
    cluster.faults.cutWatches();
    await cluster.delete(ConfigMap, "a");
    await cluster.create(ConfigMap, { name: "a" });
    await cluster.clock.advance(60_000);
    expect(waiting.end?.value).toMatchObject({ metadata: { uid: metadata.uid } });
  });
});

describe("a wait", () => {
  test("sends only watch requests during hours without changes", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    await cluster.create(Widget, { name: "a", spec: {} });
    const waiting = start(cluster, Widget);
    await cluster.untilIdle();
    expect(cluster.faults.requests).toHaveLength(1);
    await cluster.clock.advance(6 * 3_600_000);
    // A watch lasts 5 to 10 minutes.
    expect(cluster.faults.requests.length).toBeLessThanOrEqual(6 * 12 + 1);
    expect(cluster.faults.requests.filter((request) => !isWatch(request))).toEqual([]);
    expect(cluster.faults.requests.every(({ query }) => query.includes("fieldSelector=metadata.name%3Da"))).toBe(true);
    await report(cluster, 1, { status: "True" });
    await cluster.untilIdle();
    expect(waiting.end).toHaveProperty("value");
  });

  test("resolves with any fault at any event, and never with a stale Ready", async () => {
    const faults = [
      { kind: "cut" },
      { kind: "duplicate" },
      { kind: "delay", ms: 3_000 },
      { kind: "status", reason: "Expired" },
      { kind: "status", reason: "InternalError" },
    ] as const;
    for (const fault of faults) {
      for (let nth = 1; nth <= 7; nth++) {
        await using cluster = await testCluster({ kinds: [Widget] });
        await cluster.create(Widget, { name: "a", spec: {} });
        await report(cluster, 1, { status: "True" });
        cluster.faults.failNthEvent(nth, fault);
        const waiting = start(cluster, Widget, { generation: 2 });
        await cluster.clock.advance(1_000);
        for (const generation of [2, 3]) {
          await cluster.patch(Widget, "a", { spec: { size: generation } });
          await report(cluster, generation - 1, { status: "True" });
          await cluster.clock.advance(500);
          expect(waiting.end).toBeUndefined();
        }
        await report(cluster, 3, { status: "True" });
        await cluster.clock.advance(60_000);
        expect(waiting.end?.value, `${JSON.stringify(fault)} at ${nth}`).toMatchObject({
          metadata: { generation: 3 },
          status: { observedGeneration: 3 },
        });
      }
    }
  });

  test("continues while the server is unavailable, and reports it", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    await cluster.create(Widget, { name: "a", spec: {} });
    const waiting = start(cluster, Widget);
    await cluster.untilIdle();
    for (let nth = 1; nth <= 5; nth++) cluster.faults.failNth(1, { kind: "refused" });
    cluster.faults.cutWatches();
    await cluster.clock.advance(1_000);
    expect(waiting.states.at(-1)).toMatch(/^Unknown: not watching: .*, retrying$/u);
    await report(cluster, 1, { status: "True" });
    await cluster.clock.advance(120_000);
    expect(waiting.end).toHaveProperty("value");
  });

  test("rejects when the first read is rejected or gets no response, or the kind is not served", async () => {
    await using cluster = await testCluster();
    const unserved = start(cluster, Widget);
    await cluster.untilIdle();
    expect(unserved.end?.error).toMatchObject({ name: "StatusError", reason: "NotFound" });
    for (let nth = 1; nth <= 2; nth++) cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" });
    const forbidden = start(cluster, ConfigMap);
    await cluster.untilIdle();
    expect(forbidden.end?.error).toMatchObject({ reason: "Forbidden" });
    for (let nth = 1; nth <= 3; nth++) cluster.faults.failNth(1, { kind: "refused" });
    const dead = start(cluster, ConfigMap);
    await cluster.clock.advance(5_000);
    expect(dead.end?.error).toBeInstanceOf(TransportError);
  });

  test("rejects with the reason of its signal, and ends its watch", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    const stop = new AbortController();
    const waiting = start(cluster, Widget, { signal: stop.signal });
    await cluster.untilIdle();
    stop.abort();
    await cluster.untilIdle();
    expect(isAbortError(waiting.end?.error)).toBe(true);
    await cluster.clock.advance(3_600_000);
    expect(cluster.faults.requests).toHaveLength(1);
    const late = start(cluster, Widget, { signal: AbortSignal.abort(new Error("too late")) });
    await cluster.untilIdle();
    expect(late.end?.error).toMatchObject({ message: "too late" });
    expect(cluster.faults.requests).toHaveLength(1);
  });

  test("rejects with the last state after its timeout", async () => {
    await using cluster = await testCluster({ kinds: [Widget] });
    await cluster.create(Widget, { name: "a", spec: {} });
    const waiting = start(cluster, Widget, { timeoutMs: 90_000 });
    await cluster.clock.advance(89_999);
    expect(waiting.end).toBeUndefined();
    await cluster.clock.advance(1);
    await cluster.untilIdle();
    expect(waiting.end?.error).toMatchObject({
      reason: "Timeout",
      message: "Widget default/a is not ready after 90000 ms: no controller has observed it yet",
    });
  });

  test("rejects with the error of a callback", async () => {
    await using cluster = await testCluster();
    const onProgress = (): never => {
      throw new Error("broken");
    };
    const waiting = start(cluster, ConfigMap, { onProgress });
    await cluster.untilIdle();
    expect(waiting.end?.error).toMatchObject({ message: "broken" });
  });

  test("rejects an invalid key without a request", async () => {
    await using cluster = await testCluster();
    const client = clientOf(cluster);
    await expect(client.waitUntilReady(ConfigMap, { name: "a" })).rejects.toThrow("needs a namespace");
    await expect(client.waitUntilReady(ConfigMap, { ...KEY, name: "" })).rejects.toThrow("not a valid object name");
    expect(cluster.faults.requests).toEqual([]);
  });
});
