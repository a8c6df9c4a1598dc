import { ConfigMap, controllerReference, kind, PAUSED_ANNOTATION, s, Secret } from "@levelset/core";
import type { Kind, KubeObject, ObjectOf } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import type { OperatorOptions } from "../manager/index.ts";
import { fail, ok, RECONCILE_ANNOTATION, reference, step, wait } from "../engine/index.ts";
import type { Req, OutputStep, Step } from "../engine/index.ts";
import { enqueueFromMap } from "./index.ts";
import type { RunRecord } from "./index.ts";

const Widget = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Widget",
  spec: s.object({ input: s.string().optional(), size: s.int32().default(1) }),
  status: s.object({ seen: s.string().optional() }),
});
type Widget = typeof Widget;

/** Runs an operator with one step and records its runs. */
function run(
  cluster: TestCluster,
  phases: Partial<Step<Widget>> & { readonly do: (req: Req<Widget>) => ReturnType<NonNullable<Step<Widget>["do"]>> },
  options: OperatorOptions<Widget> = {},
): RunRecord[] {
  const runs: RunRecord[] = [];
  const only = step<Widget, unknown, readonly OutputStep<unknown>[]>(Widget, "Only", phases);
  cluster.run(operator(Widget, [only], { ...options, onRun: (record) => runs.push(record) }));
  return runs;
}

const reasons = (runs: readonly RunRecord[]): readonly string[] => runs.flatMap((record) => record.reasons);

/** Creates a child unless the object has one. */
async function ensureChild<K extends Kind>(req: Req<Widget>, of: K, create: () => Promise<ObjectOf<K>>): Promise<void> {
  if (req.owned(of).length === 0) await create();
}

const childOf = (
  owner: KubeObject,
): { readonly ownerReferences: readonly ReturnType<typeof controllerReference>[] } => ({
  ownerReferences: [controllerReference(owner)],
});

describe("a controller", () => {
  test("reconciles an object when a child changes or is deleted, with the reason, but not for its own writes", async () => {
    await using cluster = await testCluster();
    const runs = run(cluster, {
      owns: [ConfigMap],
      do: async (req) => {
        const metadata = { ...childOf(req.object), namespace: "default", name: req.name };
        await ensureChild(req, ConfigMap, () => req.client.create(ConfigMap, { metadata, data: { a: "1" } }));
        return ok();
      },
    });
    await cluster.untilIdle();
    await cluster.apply(Widget, { name: "w", spec: {} });
    await cluster.untilSettled(Widget, "w");
    expect(reasons(runs)).toEqual(["it appeared"]);
    await cluster.patch(ConfigMap, "w", { data: { a: "2" } });
    await cluster.untilIdle();
    await cluster.delete(ConfigMap, "w");
    await cluster.untilIdle();
    expect(reasons(runs).slice(1)).toEqual(["configmap/w changed (owner)", "configmap/w went (owner)"]);
    expect(await cluster.get(ConfigMap, "w")).toBeDefined();
  });

  test("reconciles only the objects that reference a changed object", async () => {
    await using cluster = await testCluster();
    const runs = run(cluster, {
      reads: [reference(Widget, Secret, ({ spec }) => spec.input)],
      do: (req) => {
        const secret = req.get(Secret, { namespace: "default", name: req.spec.input ?? "" });
        if (secret === undefined) return wait("the secret is not there");
        req.status.seen = secret.data?.["x"] ?? "";
        return ok();
      },
    });
    await cluster.apply(Widget, { name: "reads", spec: { input: "numbers" } });
    await cluster.apply(Widget, { name: "other", spec: { input: "letters" } });
    await cluster.untilIdle();
    runs.length = 0;
    await cluster.create(Secret, { name: "numbers", stringData: { x: "1" } });
    await cluster.untilIdle();
    expect(runs.map(({ key, reasons: why }) => `${key.name}: ${why.join()}`)).toEqual([
      "reads: secret/numbers appeared (reference)",
    ]);
    expect((await cluster.untilSettled(Widget, "reads")).status?.seen).toBe("MQ==");
  });

  test("uses a custom mapping, and ignores changes outside the projection", async () => {
    await using cluster = await testCluster();
    const watches = [
      enqueueFromMap(Widget, ConfigMap, (_, ours) => [...ours].map(({ metadata }) => metadata), {
        labelSelector: "settings=yes",
        project: ({ data }) => data,
      }),
    ];
    const runs = run(cluster, { do: () => ok() }, { watches });
    for (const name of ["a", "b"]) await cluster.apply(Widget, { name, spec: {} });
    await cluster.untilIdle();
    runs.length = 0;
    await cluster.create(ConfigMap, { name: "unrelated" });
    await cluster.create(ConfigMap, { name: "settings", labels: { settings: "yes" } });
    await cluster.untilIdle();
    await cluster.patch(ConfigMap, "settings", { metadata: { labels: { other: "x" } } });
    await cluster.untilIdle();
    expect(runs.map(({ key }) => key.name).toSorted()).toEqual(["a", "b"]);
    await cluster.patch(ConfigMap, "settings", { data: { x: "1" } });
    await cluster.untilIdle();
    expect(runs).toHaveLength(4);
  });

  test("names the field that changed", async () => {
    await using cluster = await testCluster();
    const runs = run(cluster, { do: () => ok() });
    await cluster.apply(Widget, { name: "w", spec: {} });
    await cluster.untilSettled(Widget, "w");
    await cluster.patch(Widget, "w", { spec: { size: 2 } });
    await cluster.untilSettled(Widget, "w");
    await cluster.patch(Widget, "w", { metadata: { labels: { tier: "gold" } } });
    await cluster.untilSettled(Widget, "w");
    expect(reasons(runs).slice(1)).toEqual([
      expect.stringMatching(/^spec\.size changed/u),
      expect.stringMatching(/^metadata\.labels changed/u),
    ]);
  });

  test("does not reconcile a paused object until it is resumed", async () => {
    await using cluster = await testCluster();
    const runs = run(cluster, { do: () => ok() });
    await cluster.apply(Widget, { name: "w", annotations: { [PAUSED_ANNOTATION]: "true" }, spec: {} });
    await cluster.untilIdle();
    expect(runs).toEqual([]);
    await cluster.patch(Widget, "w", { metadata: { annotations: { [PAUSED_ANNOTATION]: null } } });
    expect(await cluster.untilSettled(Widget, "w")).toMatchObject({ status: { observedGeneration: 1 } });
  });

  test("runs at once when requested by annotation, regardless of the backoff", async () => {
    await using cluster = await testCluster();
    let isBroken = true;
    const runs = run(cluster, { do: () => (isBroken ? fail("broken") : ok()) });
    await cluster.apply(Widget, { name: "w", spec: {} });
    await cluster.clock.advance(200_000);
    await cluster.untilIdle();
    const before = runs.length;
    isBroken = false;
    await cluster.patch(Widget, "w", { metadata: { annotations: { [RECONCILE_ANNOTATION]: "now" } } });
    await cluster.untilIdle();
    expect(reasons(runs.slice(before))).toEqual(["run requested by annotation"]);
  });

  test("resets the backoff for a requested run behind twelve events of children", async () => {
    await using cluster = await testCluster();
    const gate = Promise.withResolvers<void>();
    const runs = run(
      cluster,
      {
        owns: [ConfigMap],
        do: async ({ name }) => {
          if (name === "failing") return fail("broken");
          await gate.promise;
          return ok();
        },
      },
      { concurrency: 1 },
    );
    const failing = await cluster.apply(Widget, { name: "failing", spec: {} });
    await cluster.clock.advance(250_000);
    await cluster.untilIdle();
    await cluster.apply(Widget, { name: "holds-the-worker", spec: {} });
    await cluster.untilIdle();
    runs.length = 0;
    for (let n = 0; n < 12; n++) await cluster.create(ConfigMap, { name: `child-${n}`, ...childOf(failing) });
    await cluster.untilIdle();
    await cluster.patch(Widget, "failing", { metadata: { annotations: { [RECONCILE_ANNOTATION]: "now" } } });
    await cluster.untilIdle();
    gate.resolve();
    await cluster.untilIdle();
    await cluster.clock.advance(1_500);
    await cluster.untilIdle();
    const [requested, ...retries] = runs.filter(({ key }) => key.name === "failing");
    expect(requested?.reasons).toContain("run requested by annotation");
    expect(requested?.reasons.slice(-1)).toEqual(["and 2 more"]);
    expect(retries.length).toBeGreaterThan(1);
  });

  test("aborts a run at its deadline, and frees the worker even if the step ignores the signal", async () => {
    await using cluster = await testCluster();
    const forever = new Promise<never>(() => {});
    const options = { deadlineMs: 60_000, concurrency: 1 };
    const runs = run(cluster, { do: (req) => (req.name === "stuck" ? forever : ok()) }, options);
    await cluster.apply(Widget, { name: "stuck", spec: {} });
    await cluster.untilIdle();
    await cluster.apply(Widget, { name: "fine", spec: {} });
    await cluster.untilIdle();
    expect(runs).toEqual([]);
    await cluster.clock.advance(60_000);
    await cluster.untilIdle();
    expect(runs.map(({ key }) => key.name)).toEqual(["stuck", "fine"]);
    expect(runs[0]?.report).toMatchObject({ kind: "ran", result: { error: { message: /within 60 s/u } } });
  });

  test("throttles an object that two clients overwrite in turn, and names the field", async () => {
    await using cluster = await testCluster();
    let flips = 0;
    const runs = run(cluster, {
      do: (req) => {
        req.status.seen = "ours";
        return ok();
      },
    });
    cluster.run({
      name: "other-writer",
      start: async ({ fetch, signal, clock }) => {
        while (!signal.aborted) {
          const body = JSON.stringify({ status: { seen: "theirs" } });
          const url = "http://cluster.invalid/apis/test.levelset.dev/v1/namespaces/default/widgets/w/status";
          const headers = { "content-type": "application/merge-patch+json" };
          await fetch(new Request(url, { method: "PATCH", body, headers })).then(() => flips++);
          await clock.sleep(500, signal).catch(() => {});
        }
      },
    });
    await cluster.apply(Widget, { name: "w", spec: {} });
    await cluster.clock.advance(120_000);
    await cluster.untilIdle();
    expect(flips).toBeGreaterThan(100);
    expect(runs.length).toBeLessThan(40);
    expect(cluster.logs.find(({ message }) => message.includes("hot loop"))?.fields).toMatchObject({
      field: "status.seen",
    });
    const before = runs.length;
    await cluster.patch(Widget, "w", { spec: { size: 5 } });
    await cluster.untilIdle();
    expect(runs.length).toBeGreaterThan(before);
  });

  test("watches only the configured namespaces", async () => {
    await using cluster = await testCluster();
    const runs = run(cluster, { do: () => ok() }, { namespaces: ["default", "kube-system"] });
    for (const namespace of ["default", "kube-system", "kube-public"]) {
      await cluster.apply(Widget, { name: "w", namespace, spec: {} }).catch(() => {});
    }
    await cluster.untilIdle();
    expect(new Set(runs.map(({ key }) => key.namespace))).toEqual(new Set(["default", "kube-system"]));
  });
});
