import { Event } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client } from "../client/index.ts";
import { manager, operator } from "../manager/index.ts";
import { ok, step } from "./index.ts";
import { annotate, announced, isReadyFor, passWith, slowOperator } from "./interference.fixture.ts";
import { FINALIZER, Thing } from "./thing.fixture.ts";

async function notices(cluster: TestCluster): Promise<readonly string[]> {
  const events = await cluster.list(Event);
  return events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
}

describe("a run of 30 s while another client writes an annotation every 20 s", () => {
  const tick = (cluster: TestCluster) => (nth: number) => annotate(cluster, "example.dev/tick", String(nth));

  test("makes a new object Ready in its first run", async () => {
    await using cluster = await testCluster();
    const { operator: slow, calls } = slowOperator();
    cluster.run(slow);
    await cluster.apply(Thing, { name: "a", spec: { mode: "one" } });
    await passWith(cluster, 40_000, tick(cluster));
    const object = await cluster.get(Thing, "a");
    expect(isReadyFor(object, 1)).toBe(true);
    expect(object?.status?.note).toBe("one");
    expect(object?.metadata.annotations).toEqual({ "example.dev/tick": "2" });
    await passWith(cluster, 400_000, tick(cluster));
    expect(calls.length).toBeLessThan(20);
  });

  test("makes a changed object Ready for its new generation", async () => {
    await using cluster = await testCluster();
    const { operator: slow } = slowOperator();
    cluster.run(slow);
    await cluster.apply(Thing, { name: "a", spec: { mode: "one" } });
    await cluster.clock.advance(60_000);
    await cluster.patch(Thing, "a", { spec: { mode: "two" } });
    await passWith(cluster, 60_000, tick(cluster));
    const object = await cluster.get(Thing, "a");
    expect(isReadyFor(object, 2)).toBe(true);
    expect(object?.status?.note).toBe("two");
  });

  test("finishes a deletion after one cleanup", async () => {
    await using cluster = await testCluster();
    const { operator: slow, calls } = slowOperator();
    cluster.run(slow);
    await cluster.apply(Thing, { name: "a", spec: { mode: "one" } });
    await cluster.clock.advance(60_000);
    await cluster.untilIdle();
    calls.length = 0;
    await cluster.delete(Thing, "a");
    await passWith(cluster, 60_000, tick(cluster));
    await cluster.untilDeleted(Thing, "a");
    expect(calls).toEqual(["cleanup"]);
  });

  test("writes its own labels besides the annotations of the other client", async () => {
    await using cluster = await testCluster();
    const labels = step(Thing, "Labels", {
      do: async ({ metadata, clock, signal }) => {
        await clock.sleep(30_000, signal);
        metadata.labels["example.dev/kept"] = "yes";
        return ok();
      },
    });
    cluster.run(operator(Thing, [labels]));
    await cluster.apply(Thing, { name: "a", labels: { mine: "1" }, spec: {} });
    await passWith(cluster, 40_000, tick(cluster));
    const object = await cluster.get(Thing, "a");
    expect(isReadyFor(object, 1)).toBe(true);
    expect(object?.metadata.labels).toEqual({ mine: "1", "example.dev/kept": "yes" });
    expect(object?.metadata.annotations).toEqual({ "example.dev/tick": "2" });
  });
});

test("every metadata and status patch carries the resourceVersion that it was computed from", async () => {
  await using cluster = await testCluster();
  const bodies: string[] = [];
  const labels = step(Thing, "Labels", {
    do: ({ metadata, status, spec }) => {
      metadata.labels["mode"] = spec.mode;
      status.note = spec.mode;
      return ok();
    },
  });
  const op = operator(Thing, [labels]);
  cluster.run({
    ...op,
    start: (world) =>
      op.start({
        ...world,
        fetch: async (request) => {
          if (request.method === "PATCH" && /\/things\//u.test(request.url)) bodies.push(await request.clone().text());
          return world.fetch(request);
        },
      }),
  });
  await cluster.apply(Thing, { name: "a", spec: { mode: "one" } });
  await cluster.untilSettled(Thing, "a");
  await cluster.patch(Thing, "a", { spec: { mode: "two" } });
  await cluster.untilSettled(Thing, "a");
  const versions = new Set(cluster.history(Thing, "a").map(({ metadata }) => metadata.resourceVersion));
  expect(bodies).toHaveLength(4);
  for (const body of bodies) {
    const { metadata } = JSON.parse(body) as { readonly metadata?: { readonly resourceVersion?: string } };
    expect(versions.has(metadata?.resourceVersion ?? "")).toBe(true);
  }
});

const A = { namespace: "default", name: "a" };
const conflicting = ({ fetch }: TestCluster): Client => new Client({ fetch, fieldManager: "other-client" });

describe("a conflict", () => {
  test("is retried up to five times in one run, then the object is reconciled again", async () => {
    await using cluster = await testCluster();
    let runs = 0;
    let isBusy = true;
    const counting = step(Thing, "Counting", {
      do: ({ status }) => {
        runs += 1;
        if (runs === 3) isBusy = false;
        status.note = "done";
        return ok();
      },
    });
    const methods: string[] = [];
    let writes = 0;
    cluster.run(
      announced(operator(Thing, [counting]), async ({ method }) => {
        methods.push(method);
        if (method === "PATCH" && isBusy) await annotate(cluster, "busy", String(++writes));
      }),
    );
    await cluster.apply(Thing, { name: "a", spec: {} });
    expect(isReadyFor(await cluster.untilSettled(Thing, "a"), 1)).toBe(true);
    // Two runs of five writes each, every one against a stale version; the third run is not disturbed.
    expect(methods.filter((method) => method === "PATCH")).toHaveLength(11);
    expect(runs).toBeLessThanOrEqual(4);
  });

  test("in three consecutive runs is reported by an Event that names the other client, a log line and a metric", async () => {
    await using cluster = await testCluster();
    let nth = 0;
    const fought = step(Thing, "Fought", {
      do: async ({ status }) => {
        nth += 1;
        const theirs = { status: { id: `theirs-${nth}` } };
        if (nth <= 5) await conflicting(cluster).mergePatch(Thing, A, theirs, { subresource: "status" });
        status.note = "ours";
        return ok();
      },
    });
    let url = "";
    const onEndpoints = (where: string): void => {
      url = where;
    };
    cluster.run(manager([operator(Thing, [fought])], { endpoints: { port: 0 }, onEndpoints }));
    await expect.poll(() => url).not.toBe("");
    await cluster.apply(Thing, { name: "a", spec: {} });
    expect(isReadyFor(await cluster.untilSettled(Thing, "a"), 1)).toBe(true);
    await cluster.clock.advance(10_000);
    await cluster.untilIdle();
    const warnings = (await notices(cluster)).filter((text) => text.includes("WriteConflicts"));
    expect(warnings).toEqual([
      "Warning WriteConflicts: other-client changes status.id while this object is reconciled, so its runs are repeated; make sure that only one client writes that field",
    ]);
    const lines = cluster.logs.filter(({ message }) => message === "write conflict");
    expect(lines).toHaveLength(5);
    expect(lines[1]?.fields).toMatchObject({ field: "status.id", manager: "other-client", action: "run again" });
    expect(cluster.logs.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
      "write conflicts in every run",
    ]);
    const figures = await (await fetch(`${url}/metrics`)).text();
    expect(figures).toContain('levelset_write_conflicts_total{controller="thing",action="rerun"} 5');
  });

  test("about metadata that no step used is reported without a repeated run", async () => {
    await using cluster = await testCluster();
    let nth = 0;
    const busy = step(Thing, "Busy", {
      do: async ({ status, requeueAfter }) => {
        nth += 1;
        const theirs = { metadata: { annotations: { "example.dev/tick": String(nth) } } };
        if (nth <= 4) await conflicting(cluster).mergePatch(Thing, A, theirs);
        status.note = `run ${Math.min(nth, 5)}`;
        requeueAfter(1_000);
        return ok();
      },
    });
    cluster.run(operator(Thing, [busy]));
    await cluster.apply(Thing, { name: "a", spec: {} });
    await cluster.untilSettled(Thing, "a");
    await cluster.clock.advance(10_000);
    await cluster.untilIdle();
    const warnings = (await notices(cluster)).filter((text) => text.includes("WriteConflicts"));
    expect(warnings).toEqual([
      "Warning WriteConflicts: other-client changes metadata.annotations.example.dev/tick while this object is reconciled, so its writes are repeated",
    ]);
    expect(cluster.history(Thing, "a").map(({ status }) => status?.note)).toContain("run 1");
  });

  test("is resolved with a live read: the repeated run starts from the latest version even if the watch lags", async () => {
    await using cluster = await testCluster();
    const modes: string[] = [];
    const changed = step(Thing, "Changed", {
      do: async ({ spec, status }) => {
        modes.push(spec.mode);
        if (modes.length === 1) {
          cluster.faults.delayResponses(600_000);
          await cluster.patch(Thing, "a", { spec: { mode: "two" } });
        }
        status.note = spec.mode;
        return ok();
      },
    });
    cluster.run(operator(Thing, [changed]));
    await cluster.untilIdle();
    await cluster.apply(Thing, { name: "a", spec: { mode: "one" } });
    const object = await cluster.untilSettled(Thing, "a");
    expect(isReadyFor(object, 2)).toBe(true);
    expect(modes).toEqual(["one", "two"]);
  });

  test("triggers a run for the write of the other client even if the watch lags", async () => {
    await using cluster = await testCluster();
    const seen: (string | undefined)[] = [];
    const watching = step(Thing, "Watching", {
      do: async ({ status, client, signal }) => {
        if (seen.length === 0) {
          cluster.faults.delayResponses(600_000);
          await annotate(cluster, "other", "1");
        }
        // A live read is not recorded by the view.
        seen.push((await client.get(Thing, A, { signal })).metadata.annotations?.["other"]);
        status.note = "done";
        return ok();
      },
    });
    cluster.run(operator(Thing, [watching]));
    await cluster.untilIdle();
    await cluster.apply(Thing, { name: "a", spec: {} });
    expect(isReadyFor(await cluster.untilSettled(Thing, "a"), 1)).toBe(true);
    expect(seen).toHaveLength(2);
  });

  test("about a finalizer of another client keeps that one and ours", async () => {
    await using cluster = await testCluster();
    const { operator: slow, calls } = slowOperator();
    const hold = "example.dev/hold";
    let isDone = false;
    cluster.run(
      announced(slow, async ({ method }) => {
        if (method !== "PATCH" || isDone) return;
        isDone = true;
        await cluster.patch(Thing, "a", { metadata: { finalizers: [hold] } });
      }),
    );
    await cluster.apply(Thing, { name: "a", spec: {} });
    await cluster.untilIdle();
    expect((await cluster.get(Thing, "a"))?.metadata.finalizers).toEqual([hold, FINALIZER]);
    await cluster.clock.advance(60_000);
    await cluster.delete(Thing, "a");
    await cluster.clock.advance(20_000);
    await cluster.patch(Thing, "a", { metadata: { finalizers: [FINALIZER] } });
    await cluster.clock.advance(60_000);
    await cluster.untilDeleted(Thing, "a");
    expect(calls.filter((call) => call === "cleanup").length).toBeLessThanOrEqual(2);
  });
});
