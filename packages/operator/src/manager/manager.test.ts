import { kind, Lease, Namespace, s } from "@levelset/core";
import type { World } from "@levelset/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { trace } from "@opentelemetry/api";
import { testCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { ok, step } from "../engine/index.ts";
import { manager, operator } from "./index.ts";
// Loaded on demand by the manager; loaded here first, so that no test waits for the disk.
import "./metrics.ts";
import "./tracing.ts";

const make = (name: string) =>
  kind({ group: "test.levelset.dev", version: "v1", kind: name, spec: s.object({ size: s.int32().default(1) }) });
const Apple = make("Apple");
const Pear = make("Pear");

const apples = operator(Apple, [
  step(Apple, "Ripen", {
    do: (req) => {
      req.event({ reason: "Ripened", message: "it is red" });
      return ok();
    },
  }),
]);
const pears = operator(Pear, [
  step(Pear, "Ripen", {
    do: ({ spec }) => {
      if (spec.size > 1) throw new TypeError("a defect");
      return ok();
    },
  }),
]);

async function get(url: string, token?: string): Promise<readonly [number, string]> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers });
  return [response.status, await response.text()];
}

describe("a manager", () => {
  test("serves health, metrics and runs of its operators; runs require the debug token", async () => {
    await using cluster = await testCluster();
    let url = "";
    const onEndpoints = (where: string): void => {
      url = where;
    };
    const running = cluster.run(manager([apples, pears], { endpoints: { port: 0, debugToken: "open" }, onEndpoints }));
    await cluster.apply(Apple, { name: "a", spec: {} });
    await cluster.apply(Pear, { name: "broken", spec: { size: 2 } });
    await expect.poll(() => url).not.toBe("");
    await cluster.untilSettled(Apple, "a");
    expect(await get(`${url}/healthz`)).toEqual([200, "ok\n"]);
    await expect.poll(() => get(`${url}/readyz`)).toEqual([200, "ok\n"]);
    const [, figures] = await get(`${url}/metrics`);
    expect(figures).toContain('levelset_runs_total{controller="apple",result="ok"} 1');
    expect(figures).toContain('levelset_step_defects_total{controller="pear",step="Ripen"} 1');
    expect(figures).toContain('levelset_cache_objects{kind="Apple"} 1');
    expect(figures).toContain('levelset_queue_keys{controller="pear",state="waiting"} 0');
    expect(figures).toContain('levelset_client_throttled_seconds_total{reason="qps"} 0');
    expect(figures).toContain('levelset_client_throttled_seconds_total{reason="retry-after"} 0');
    expect(figures).toMatch(/levelset_requests_total\{method="GET",code="200"\} \d/u);
    expect((await get(`${url}/debug/runs`))[0]).toBe(401);
    expect((await get(`${url}/debug/runs`, "wrong"))[0]).toBe(401);
    const [code, body] = await get(`${url}/debug/runs?controller=apple&object=default/a`, "open");
    expect([code, JSON.parse(body)]).toMatchObject([
      200,
      {
        runs: [
          { controller: "apple", name: "a", reasons: [expect.any(String)], result: "ok", steps: [{ step: "Ripen" }] },
        ],
      },
    ]);
    await running.stop();
    await expect(get(`${url}/healthz`)).rejects.toThrow("fetch failed");
  });

  test("is not ready while a kind that its steps declare cannot be listed, and names the missing permission", async () => {
    await using cluster = await testCluster();
    let url = "";
    const onEndpoints = (where: string): void => {
      url = where;
    };
    const isPears = ({ path }: { readonly path: string }): boolean => path.endsWith("/pears");
    // The streamed list fails first, then the paginated one.
    for (let times = 0; times < 2; times++) cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" }, isPears);
    cluster.run(manager([apples, pears], { endpoints: { port: 0 }, onEndpoints }));
    await expect.poll(() => url).not.toBe("");
    await cluster.untilIdle();
    const message = "Pear: cannot list pears.test.levelset.dev: forbidden (needs list and watch)";
    expect(await get(`${url}/readyz`)).toEqual([503, expect.stringContaining(message)]);
    await cluster.apply(Apple, { name: "a", spec: {} });
    await cluster.untilSettled(Apple, "a");
    await cluster.clock.advance(5_000);
    await cluster.untilIdle();
    expect(await get(`${url}/readyz`)).toEqual([200, "ok\n"]);
  });

  test("counts the cached objects of a kind across all its namespaces", async () => {
    await using cluster = await testCluster();
    let url = "";
    const onEndpoints = (where: string): void => {
      url = where;
    };
    for (const name of ["north", "south"]) await cluster.apply(Namespace, { name });
    cluster.run(manager([apples], { namespaces: ["north", "south"], endpoints: { port: 0 }, onEndpoints }));
    await expect.poll(() => url).not.toBe("");
    for (const [name, namespace] of [
      ["a", "north"],
      ["b", "north"],
      ["c", "south"],
    ] as const) {
      await cluster.apply(Apple, { name, namespace, spec: {} });
    }
    await cluster.untilIdle();
    const [, figures] = await get(`${url}/metrics`);
    expect(figures).toContain('levelset_cache_objects{kind="Apple"} 3');
    expect(figures).toContain('levelset_cache_connects{kind="Apple"} 2');
    expect(figures).toContain('levelset_cache_synced{kind="Apple"} 1');
  });

  test("reconciles only while it is the leader, with caches that were synced before", async () => {
    await using cluster = await testCluster();
    const lead = (identity: string) =>
      manager([apples], { leaderElection: { namespace: "default", name: "fruit", identity } });
    const first = cluster.run(lead("first"));
    await cluster.apply(Apple, { name: "a", spec: {} });
    await cluster.untilSettled(Apple, "a");
    const second = cluster.run(lead("second"));
    await cluster.clock.advance(10_000);
    await cluster.untilIdle();
    expect((await cluster.get(Lease, "fruit"))?.spec?.holderIdentity).toBe("first");
    const lists = cluster.faults.count(({ query }) => query.includes("sendInitialEvents"));
    await first.stop();
    await cluster.apply(Apple, { name: "b", spec: {} });
    await cluster.clock.advance(5_000);
    expect(await cluster.untilSettled(Apple, "b")).toMatchObject({ status: { observedGeneration: 1 } });
    expect((await cluster.get(Lease, "fruit"))?.spec?.holderIdentity).toBe("second");
    expect(cluster.faults.count(({ query }) => query.includes("sendInitialEvents"))).toBe(lists);
    await second.stop();
  });

  test("installs the CRDs of its operators with installCrds", async () => {
    await using cluster = await testCluster();
    const { kinds: _kinds, ...alone } = manager([pears], { installCrds: true });
    cluster.run(alone);
    await cluster.untilIdle();
    await cluster.apply(Pear, { name: "p", spec: {} });
    expect(await cluster.untilSettled(Pear, "p")).toMatchObject({ status: { observedGeneration: 1 } });
  });

  test("completes running reconciles within the grace period when it stops, and starts no others", async () => {
    await using cluster = await testCluster();
    const ended: string[] = [];
    const slow = operator(
      Apple,
      [
        step(Apple, "Slow", {
          do: async (req) => {
            await req.clock.sleep(1_000, req.signal);
            ended.push(req.name);
            return ok();
          },
        }),
      ],
      { concurrency: 1 },
    );
    const running = cluster.run(manager([slow], { graceMs: 5_000 }));
    await cluster.apply(Apple, { name: "one", spec: {} });
    await cluster.apply(Apple, { name: "two", spec: {} });
    await cluster.untilIdle();
    const stopped = running.stop();
    await cluster.clock.advance(3_000);
    await stopped;
    expect(ended).toEqual(["one"]);
    expect((await cluster.get(Apple, "one"))?.status?.observedGeneration).toBe(1);
  });

  test("does not wait longer than the grace period for Events that the server does not accept", async () => {
    await using cluster = await testCluster();
    cluster.faults.failNth(1, { kind: "hang" }, ({ path }) => path.endsWith("/events"));
    const running = cluster.run(manager([apples], { graceMs: 5_000 }));
    await cluster.apply(Apple, { name: "a", spec: {} });
    await cluster.untilIdle();
    const stopped = running.stop();
    await cluster.clock.advance(5_000);
    await stopped;
    expect(cluster.faults.count(({ path }) => path.endsWith("/events"))).toBe(1);
  });

  test("rejects two operators for one kind", () => {
    expect(() => manager([apples, apples])).toThrow("two operators reconcile the kind apple");
  });

  test("creates spans of runs and steps if OpenTelemetry is registered", async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    trace.setGlobalTracerProvider(provider);
    try {
      await using cluster = await testCluster();
      cluster.run({ ...apples, start: (world: World) => apples.start(world) });
      await cluster.apply(Apple, { name: "a", spec: {} });
      await cluster.untilSettled(Apple, "a");
      expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(["do Ripen", "reconcile Apple"]);
    } finally {
      trace.disable();
      // The global by which operators detect OpenTelemetry.
      Reflect.deleteProperty(globalThis, Symbol.for("opentelemetry.js.api.1"));
    }
  });
});
