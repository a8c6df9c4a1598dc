import { ConfigMap, Deployment, findCondition } from "@levelset/core";
import type { EmbeddedObject, KubeObject } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { ClusterActiveOperand, Operand } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import operators, { release, Signet } from "./signet.ts";

const MINUTES = 60_000;

/** A cluster with v1 installed, without a running operator. Tests use forks of it. */
let prepared: TestCluster;

beforeAll(async () => {
  prepared = await testCluster({ workloads: true });
  const running = prepared.run(operators);
  await prepared.apply(Signet, { name: "signet", spec: { version: "v1" } });
  await prepared.clock.advance(MINUTES);
  await prepared.untilIdle();
  await running.stop();
});

afterAll(async () => {
  await prepared[Symbol.asyncDispose]();
});

async function installed(): Promise<TestCluster> {
  const cluster = await prepared.fork();
  cluster.run(operators);
  await cluster.untilIdle();
  return cluster;
}

/** Returns kind, namespace and name of an object. */
function idOf({ kind, metadata }: EmbeddedObject | KubeObject): string {
  const { namespace, name } = metadata as { readonly namespace?: string; readonly name: string };
  return [kind, namespace, name].filter((part) => part !== undefined).join(" ");
}

/** Returns the UIDs of the objects of both versions that exist in the cluster. */
async function present(cluster: TestCluster): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const object of [...release("v1"), ...release("v2")]) {
    const { namespace, name } = object.metadata as { readonly namespace?: string; readonly name: string };
    const live = await find(cluster, object, name, namespace);
    if (live !== undefined) found.set(idOf(object), live.metadata.uid);
  }
  return found;
}

async function find(
  cluster: TestCluster,
  { apiVersion, kind }: EmbeddedObject,
  name: string,
  namespace: string | undefined,
): Promise<KubeObject | undefined> {
  const plural = kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  const root = apiVersion.includes("/") ? `apis/${apiVersion}` : `api/${apiVersion}`;
  const where = namespace === undefined ? "" : `/namespaces/${namespace}`;
  const response = await cluster.fetch(
    new Request(`http://cluster.invalid/${root}${where}/${plural.toLowerCase()}/${name}`),
  );
  return response.ok ? ((await response.json()) as KubeObject) : undefined;
}

const ids = (version: string): readonly string[] => release(version).map(idOf).toSorted();
const NEVER_PRUNED = /^(?:Namespace|CustomResourceDefinition) /u;

describe("Signet", () => {
  test("installs all objects of v1 at once, custom resources together with their CRDs", async () => {
    await using cluster = await installed();
    const signet = await cluster.untilSettled(Signet, "signet");
    expect(signet).toBeReady();
    expect(signet.status).toMatchObject({ installed: "v1", objects: 49 });
    expect([...(await present(cluster)).keys()].toSorted()).toEqual(ids("v1"));
  });

  test("the upgrade to v2 deletes nothing before v2 is healthy, and recreates no object", async () => {
    await using cluster = await installed();
    const before = await present(cluster);
    await cluster.patch(Signet, "signet", { spec: { version: "v2" } });
    const upgrading = await cluster.untilSettled(Signet, "signet");
    expect(upgrading).toHaveCondition("Ready", "False", { reason: "Waiting" });
    for (const id of ids("v1")) expect((await present(cluster)).has(id)).toBe(true);
    await cluster.clock.advance(MINUTES);
    expect(await cluster.untilSettled(Signet, "signet")).toBeReady();
    const after = await present(cluster);
    const left = ids("v1").filter((id) => NEVER_PRUNED.test(id));
    expect([...after.keys()].toSorted()).toEqual([...new Set([...ids("v2"), ...left])].toSorted());
    const kept = [...after].filter(([id]) => before.has(id));
    expect(kept.length).toBeGreaterThan(40);
    for (const [id, uid] of kept) expect(uid).toBe(before.get(id));
    expect(before.has("Deployment signet-system signet-injector")).toBe(true);
    expect(after.has("Deployment signet-system signet-injector")).toBe(false);
  });

  test("a version that does not start is reported, and all objects of the previous one stay until the rollback", async () => {
    await using cluster = await installed();
    const before = await present(cluster);
    await cluster.patch(Signet, "signet", { spec: { version: "v2", tag: "does-not-exist" } });
    await cluster.clock.advance(15 * MINUTES);
    const broken = await cluster.untilSettled(Signet, "signet");
    expect(broken).toHaveCondition("Ready", "False", {
      severity: "Error",
      reason: "Failed",
      message: /deployment\.apps\/signet-controller in signet-system/u,
    });
    expect(findCondition((await cluster.untilSettled(Operand, "signet")).status?.conditions, "Stalled")?.status).toBe(
      "True",
    );
    for (const [id, uid] of before) expect((await present(cluster)).get(id)).toBe(uid);
    const running = await cluster.list(Deployment, "signet-system");
    const controller = running.find(({ metadata }) => metadata.name === "signet-controller");
    expect(controller?.status?.availableReplicas).toBeGreaterThan(0);

    await cluster.patch(Signet, "signet", { spec: { version: "v1", tag: null } });
    await cluster.clock.advance(5 * MINUTES);
    expect(await cluster.untilSettled(Signet, "signet")).toBeReady();
    const after = await present(cluster);
    for (const [id, uid] of before) expect(after.get(id)).toBe(uid);
    const extra = [...after.keys()].filter((id) => !before.has(id));
    expect(extra).toEqual(["CustomResourceDefinition policies.signet.example"]);
  });

  test("on deletion only its CRDs and namespaces remain", async () => {
    await using cluster = await installed();
    await cluster.delete(Signet, "signet");
    await cluster.clock.advance(MINUTES);
    await cluster.untilDeleted(Signet, "signet");
    await cluster.untilDeleted(Operand, "signet");
    expect(await cluster.list(ClusterActiveOperand)).toEqual([]);
    expect([...(await present(cluster)).keys()].toSorted()).toEqual(ids("v1").filter((id) => NEVER_PRUNED.test(id)));
  });

  test("writes nothing when settled, and corrects one drifted object with one write", async () => {
    await using cluster = await installed();
    await cluster.clock.advance(10 * MINUTES);
    expect(cluster.faults.count(isWrite)).toBe(0);
    await cluster.patch(ConfigMap, "signet-webhook", { data: { "webhook.yaml": "port: 1\n" } }, "signet-system");
    await cluster.untilIdle();
    const fixed = await cluster.get(ConfigMap, "signet-webhook", "signet-system");
    expect(fixed?.data?.["webhook.yaml"]).toBe("port: 10250\n");
    const writes = cluster.requests().filter((request) => isWrite(request) && !request.path.includes("/events"));
    expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "PATCH /api/v1/namespaces/signet-system/configmaps/signet-webhook",
    ]);
  });
});
