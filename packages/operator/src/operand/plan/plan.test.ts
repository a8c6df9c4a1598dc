import { ConfigMap, crdOf, Deployment, kind, s, StatusError } from "@levelset/core";
import type { AnyCustomKind, EmbeddedObject, JsonObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Client, Discovery } from "../../client/index.ts";
import { ClusterActiveOperand, Operand } from "../spec/operand-kinds.ts";
import { OperandRevision } from "../revision/operand-revision.ts";
import { operandManager } from "../operators.ts";
import { applySpec, checkPlans, planForOperand, dryRunOperand } from "./plan.fixture.ts";
import type { Spec } from "./plan.fixture.ts";
import { planOperand } from "./plan.ts";
import { comparableObject } from "../apply/comparable-object.ts";
import type { OperandPlan } from "./plan.ts";

const start = (): Promise<TestCluster> => testCluster({ kinds: [Operand, ClusterActiveOperand, OperandRevision] });

const config = (name: string, rest: JsonObject = {}, annotations: JsonObject = {}): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", annotations },
  ...rest,
});

/** `action kind/name` and the reason of every entry of a plan. */
function outline(plan: OperandPlan): readonly string[] {
  if (plan.kind === "invalid") return plan.problems;
  return [...plan.items, ...plan.prunes].map(({ action, ref, reason }) =>
    [action, `${ref.kind.toLowerCase()}/${ref.name}`, ...(reason === undefined ? [] : [reason])].join(" "),
  );
}

async function planOf(cluster: TestCluster, spec: Spec): Promise<readonly string[]> {
  return outline(await planForOperand(cluster, await dryRunOperand(cluster, spec)));
}

describe("a plan", () => {
  test("of random changes equals what the run then does, and writes nothing", async () => {
    await using base = await start();
    expect(await checkPlans(base, 12)).toBe(36);
  });

  test("includes CRDs and their custom resources, also where no dry run is possible yet", async () => {
    await using cluster = await start();
    const Toy = kind({ group: "toys.example.com", version: "v1", kind: "Toy", spec: s.object({ size: s.int32() }) });
    const crd = (toy: AnyCustomKind): EmbeddedObject => crdOf(toy) as unknown as EmbeddedObject; // a CRD is JSON
    const toy = (size: number): EmbeddedObject => ({
      apiVersion: "toys.example.com/v1",
      kind: "Toy",
      metadata: { name: "bear", namespace: "default" },
      spec: { size },
    });
    const crdName = "customresourcedefinition/toys.toys.example.com";
    const spec = { steadyState: [toy(1), crd(Toy)] };
    expect(await planOf(cluster, spec)).toEqual(["create toy/bear NotEstablished", `create ${crdName}`]);
    await applySpec(cluster, spec);
    const running = cluster.run(operandManager());
    await cluster.clock.advance(10_000);
    await cluster.untilIdle();
    await running.stop();
    expect(await planOf(cluster, spec)).toEqual(["none toy/bear", `none ${crdName}`]);
    const wider = kind({
      group: "toys.example.com",
      version: "v1",
      kind: "Toy",
      spec: s.object({ size: s.int32(), color: s.string().optional() }),
    });
    const coloured = { ...toy(1), spec: { size: 1, color: "red" } };
    const changed = { steadyState: [coloured, crd(wider)] };
    expect(await planOf(cluster, changed)).toEqual(["change toy/bear CrdChanges", `change ${crdName}`]);
    expect(await planOf(cluster, {})).toEqual(["delete toy/bear", `stay ${crdName} NeverPruned`]);
  });

  test("lists rejected objects and those they block, and prunes nothing", async () => {
    await using cluster = await start();
    await applySpec(cluster, { steadyState: [config("old")] });
    const running = cluster.run(operandManager());
    await cluster.untilIdle();
    await running.stop();
    const steadyState = [
      { ...config("bad"), kind: "Nonsense" },
      config("after", {}, { "operand.levelset.dev/depends-on": "/namespaces/default/Nonsense/bad" }),
      config("beside"),
    ];
    expect(await planOf(cluster, { steadyState, postInstall: [config("late")] })).toEqual([
      "refuse nonsense/bad UnknownKind",
      "hold configmap/after DependencyNotReady",
      "create configmap/beside",
      "hold configmap/late SteadyStateFirst",
      "hold configmap/old NotReady",
    ]);
  });

  test("respects shared objects, and reports deletions that the server rejects", async () => {
    await using cluster = await start();
    await applySpec(cluster, { steadyState: [config("shared"), config("own")] });
    await cluster.apply(Operand, { name: "other", spec: { steadyState: [config("shared")] } });
    const running = cluster.run(operandManager());
    await cluster.untilIdle();
    await running.stop();
    expect(await planOf(cluster, {})).toEqual(["delete configmap/own", "stay configmap/shared Shared"]);
    const client = new Client({ fetch: cluster.faults.fetch, fieldManager: "test" });
    const { signal } = new AbortController();
    cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" }, ({ method }) => method === "DELETE");
    const world = { client, discovery: new Discovery(client), clock: cluster.clock, signal };
    expect(outline(await planOperand(await dryRunOperand(cluster, {}), world))).toEqual([
      "refuse configmap/own Forbidden",
      "stay configmap/shared Shared",
    ]);
    expect(await cluster.get(ConfigMap, "own")).toBeDefined();
  });

  test("predicts objects, Secrets too, where a webhook does not support dry runs", async () => {
    await using cluster = await start();
    const client = new Client({
      fieldManager: "test",
      fetch: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        const isDryRun = searchParams.get("dryRun") !== null && /\/(?:secrets|configmaps)\//u.test(pathname);
        if (!isDryRun) return cluster.fetch(request);
        const error = new StatusError("BadRequest", 'admission webhook "w.example.com" does not support dry run');
        return Response.json(error.toStatus(), { status: error.code });
      },
    });
    const secret = { ...config("s", { data: { password: "c2VjcmV0" } }), kind: "Secret" };
    const operand = await dryRunOperand(cluster, { steadyState: [config("a"), secret] });
    const { signal } = new AbortController();
    const world = { client, discovery: new Discovery(client), clock: cluster.clock, signal };
    expect(outline(await planOperand(operand, world))).toEqual([
      "create configmap/a NoDryRun",
      "create secret/s NoDryRun",
    ]);
  });

  test("of an Operand that is being deleted lists the deletion of its objects", async () => {
    await using cluster = await start();
    await applySpec(cluster, {
      steadyState: [config("a"), config("b", {}, { "operand.levelset.dev/prune": "disabled" })],
    });
    const running = cluster.run(operandManager());
    await cluster.untilIdle();
    await running.stop();
    await cluster.delete(Operand, "set");
    const operand = await cluster.get(Operand, "set");
    expect(operand).toBeDefined();
    if (operand === undefined) return;
    expect(outline(await planForOperand(cluster, operand))).toEqual([
      "delete configmap/a",
      "stay configmap/b PruneDisabled",
    ]);
  });

  test("of an adoption shows the fields of former managers that the run removes, and the defaults that return", async () => {
    await using cluster = await start();
    const client = new Client({ fetch: cluster.fetch, fieldManager: "kubectl-client-side-apply" });
    const key = { namespace: "default", name: "web" };
    const [labels, containers] = [{ app: "web" }, [{ name: "a", image: "a:1", env: [{ name: "OLD", value: "1" }] }]];
    const template = { metadata: { labels }, spec: { containers } };
    await client.create(Deployment, {
      metadata: key,
      spec: { replicas: 3, selector: { matchLabels: labels }, template },
    });
    const manifest = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: key,
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "a:1" }] } },
      },
    };
    const spec = { steadyState: [manifest], checkDeploymentHealth: false };
    const plan = await planForOperand(cluster, await dryRunOperand(cluster, spec));
    const planned = plan.kind === "plan" ? plan.items[0] : undefined;
    expect(planned).toMatchObject({ action: "change", isAdopted: true, isGuess: false });
    await applySpec(cluster, spec);
    const running = cluster.run(operandManager());
    await cluster.untilIdle();
    await running.stop();
    const after = await cluster.get(Deployment, "web");
    expect(after?.spec.replicas).toBe(1);
    expect(after?.spec.template.spec?.containers[0]).not.toHaveProperty("env");
    expect(planned?.after).toEqual(after === undefined ? undefined : comparableObject(after, Deployment));
  });

  test("of an edit beside an object in both lists leaves that object alone, as the run does", async () => {
    await using cluster = await start();
    const set = (both: string, other: string): Spec => ({
      steadyState: [config("both", { data: { v: "1" } }), config("other", { data: { v: other } })],
      postInstall: [config("both", { data: { v: both } })],
    });
    const install = async (spec: Spec): Promise<void> => {
      await applySpec(cluster, spec);
      const running = cluster.run(operandManager());
      await cluster.untilIdle();
      await running.stop();
    };
    await install(set("2", "1"));
    const before = await cluster.get(ConfigMap, "both");
    expect(await planOf(cluster, set("2", "2"))).toEqual(["none configmap/both", "change configmap/other"]);
    await install(set("2", "2"));
    expect((await cluster.get(ConfigMap, "both"))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
    expect(await planOf(cluster, set("3", "2"))).toEqual(["change configmap/both", "none configmap/other"]);
    await install(set("3", "2"));
    expect((await cluster.get(ConfigMap, "both"))?.data).toEqual({ v: "3" });
  });

  test("of an invalid set lists its problems", async () => {
    await using cluster = await start();
    expect(await planOf(cluster, { steadyState: [config("a"), config("a")] })).toEqual([
      "steadyState[1]: configmap/a in default is already declared at steadyState[0]",
    ]);
  });
});
