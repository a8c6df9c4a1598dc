import { ConfigMap, crdOf, kind, s } from "@levelset/core";
import type { AnyCustomKind, EmbeddedObject, JsonObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { Client, Discovery } from "../client/index.ts";
import { ClusterActiveOperand, Operand } from "./kinds.ts";
import { OperandRevision } from "./operand-revision.ts";
import { operandManager } from "./operators.ts";
import { ask, checkPlans, planned, proposed } from "./plan.fixture.ts";
import type { Spec } from "./plan.fixture.ts";
import { planOperand } from "./plan.ts";
import type { OperandPlan } from "./plan.ts";

const start = (): Promise<TestCluster> => testCluster({ kinds: [Operand, ClusterActiveOperand, OperandRevision] });

const config = (name: string, rest: JsonObject = {}, annotations: JsonObject = {}): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", annotations },
  ...rest,
});

/** `action kind/name`, and why, of everything that a plan tells of. */
function outline(plan: OperandPlan): readonly string[] {
  if (plan.kind === "invalid") return plan.problems;
  return [...plan.items, ...plan.prunes].map(({ action, ref, reason }) =>
    [action, `${ref.kind.toLowerCase()}/${ref.name}`, ...(reason === undefined ? [] : [reason])].join(" "),
  );
}

async function planOf(cluster: TestCluster, spec: Spec): Promise<readonly string[]> {
  return outline(await planned(cluster, await proposed(cluster, spec)));
}

describe("a plan", () => {
  test("of random changes is exactly what the run then does, and changes nothing itself", async () => {
    await using base = await start();
    expect(await checkPlans(base, 12)).toBe(36);
  });

  test("tells of CRDs and what they declare, also where the server cannot be asked yet", async () => {
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
    await ask(cluster, spec);
    const running = cluster.run(operandManager());
    await cluster.clock.advance(10_000);
    await cluster.rest();
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

  test("names what is refused and what that holds back, and prunes nothing then", async () => {
    await using cluster = await start();
    await ask(cluster, { steadyState: [config("old")] });
    const running = cluster.run(operandManager());
    await cluster.rest();
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

  test("knows what another Operand wants too, and what a server does not let go", async () => {
    await using cluster = await start();
    await ask(cluster, { steadyState: [config("shared"), config("own")] });
    await cluster.apply(Operand, { name: "other", spec: { steadyState: [config("shared")] } });
    const running = cluster.run(operandManager());
    await cluster.rest();
    await running.stop();
    expect(await planOf(cluster, {})).toEqual(["delete configmap/own", "stay configmap/shared Shared"]);
    const client = new Client({ fetch: cluster.faults.fetch, fieldManager: "somebody" });
    const { signal } = new AbortController();
    cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" }, ({ method }) => method === "DELETE");
    const world = { client, discovery: new Discovery(client), clock: cluster.clock, signal };
    expect(outline(await planOperand(await proposed(cluster, {}), world))).toEqual([
      "refuse configmap/own Forbidden",
      "stay configmap/shared Shared",
    ]);
    expect(await cluster.get(ConfigMap, "own")).toBeDefined();
  });

  test("of an Operand that is being deleted is the end of its objects", async () => {
    await using cluster = await start();
    await ask(cluster, { steadyState: [config("a"), config("b", {}, { "operand.levelset.dev/prune": "disabled" })] });
    const running = cluster.run(operandManager());
    await cluster.rest();
    await running.stop();
    await cluster.delete(Operand, "set");
    const operand = await cluster.get(Operand, "set");
    expect(operand).toBeDefined();
    if (operand === undefined) return;
    expect(outline(await planned(cluster, operand))).toEqual(["delete configmap/a", "stay configmap/b PruneDisabled"]);
  });

  test("of a set that cannot be understood says why", async () => {
    await using cluster = await start();
    expect(await planOf(cluster, { steadyState: [config("a"), config("a")] })).toEqual([
      "steadyState[1]: configmap/a in default stands at steadyState[0] already",
    ]);
  });
});
