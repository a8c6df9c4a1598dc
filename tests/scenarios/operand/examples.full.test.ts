import { Deployment, findCondition, isReady, Namespace } from "@levelset/core";
import type { AnyCustomKind, EmbeddedObject, ObjectKey, ObjectOf, Runnable } from "@levelset/core";
import { ClusterActiveOperand, Discovery, Operand, OperandRevision } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import platforms, { Platform } from "../../../examples/04-platform/platform.ts";
import signets, { release, Signet } from "../../../examples/05-signet/signet.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { ServerCluster } from "../../support/cluster/server-cluster.ts";
import { TestProcess } from "../../support/test-process.ts";
import { onRealCluster } from "../../support/real-cluster.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import type { TestServer } from "../../support/test-server.ts";
import { MISSING_IMAGE, FakeDeploymentController } from "./fake-deployment-controller.ts";

const STEP_MS = 20_000;
const NEVER_PRUNED = /^(?:Namespace|CustomResourceDefinition) /u;

/** Returns the id of an object in a set. */
function idOf(object: EmbeddedObject): string {
  const { namespace, name } = keyOf(object);
  return [object.kind, namespace, name].filter((part) => part !== undefined).join(" ");
}

function keyOf({ metadata }: EmbeddedObject): ObjectKey {
  return metadata as unknown as ObjectKey; // objects of the examples have names
}

/** Returns those of the objects that exist, each with its uid. */
async function present(cluster: Cluster, objects: readonly EmbeddedObject[]): Promise<ReadonlyMap<string, string>> {
  const discovery = new Discovery(cluster.client);
  const { signal } = new AbortController();
  const found = new Map<string, string>();
  for (const object of objects) {
    const kind = await discovery.kindOf(object, { signal });
    const { namespace, name } = keyOf(object);
    const { items } = await cluster.client.list(kind, {
      ...(namespace === undefined ? {} : { namespace }),
      fields: `metadata.name=${name}`,
    });
    for (const { metadata } of items) found.set(idOf(object), metadata.uid);
  }
  return found;
}

/** Expects that the objects still exist with the same uids. */
function expectKept(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): void {
  expect(Object.fromEntries([...before].map(([id]) => [id, after.get(id)]))).toEqual(Object.fromEntries(before));
}

await onRealCluster("The examples on a real kube-apiserver", (start) => {
  describe("on kube-apiserver, with simulated Deployments", () => {
    let target: TestServer;

    beforeAll(async () => {
      target = await start({ controllerManager: true, withoutControllers: ["deployment-controller"] });
    });
    afterAll(() => target[Symbol.asyncDispose]());

    async function open(runnable: Runnable): Promise<Cluster> {
      const cluster = await ServerCluster.connect(target);
      for (const kind of runnable.kinds ?? []) await cluster.install(kind);
      cluster.start(runnable);
      return cluster;
    }

    /** Runs a CLI command as a process that has not applied the set. */
    async function command(...args: readonly string[]) {
      const all = [LAUNCHER, "operand", ...args, "--kubeconfig", target.kubeconfig];
      await using program = new TestProcess(process.execPath, { args: all, cwd: ROOT });
      return await program.untilExit();
    }

    test("04 Platform is installed, upgraded, broken, rolled back and removed", async () => {
      await using cluster = await open(platforms);
      await using _ = new FakeDeploymentController(cluster);
      const spec = { version: "1.0", workers: 2, metrics: true, settings: { LOG_LEVEL: "info" } };
      await cluster.create(Platform, { metadata: { name: "shop" }, spec });
      const installed = await cluster.until(Platform, "shop", isReady, STEP_MS);
      expect(installed.status).toMatchObject({ version: "1.0", objects: 9 });
      const set = (await cluster.find(Operand, "shop"))?.spec;
      const all = [...(set?.steadyState ?? []), ...(set?.postInstall ?? [])];
      const before = await present(cluster, all);
      expect([...before.keys()].toSorted()).toEqual(all.map(idOf).toSorted());

      await cluster.patch(Platform, "shop", { spec: { version: "1.1" } });
      await cluster.until(Platform, "shop", (now) => isReady(now) && now.status?.version === "1.1", STEP_MS);
      expectKept(before, await present(cluster, all));

      await cluster.patch(Platform, "shop", { spec: { version: MISSING_IMAGE, metrics: false } });
      const broken = await cluster.until(
        Platform,
        "shop",
        ({ status }) => findCondition(status?.conditions, "Ready")?.severity === "Error",
        STEP_MS,
      );
      expect(findCondition(broken.status?.conditions, "Ready")?.message).toMatch(/deployment\.apps\/gateway in shop/u);
      expectKept(before, await present(cluster, all));

      await cluster.patch(Platform, "shop", { spec: { version: "1.1", metrics: true } });
      await cluster.until(Platform, "shop", (now) => isReady(now) && now.status?.version === "1.1", STEP_MS);
      expectKept(before, await present(cluster, all));

      await cluster.delete(Platform, "shop");
      await cluster.untilDeleted(Platform, "shop", STEP_MS);
      // The garbage collector of the server removes dependents later.
      await expect.poll(async () => [...(await present(cluster, all)).keys()]).toEqual(["Namespace shop"]);
      for (const kind of [Operand, ClusterActiveOperand, OperandRevision]) {
        await expect.poll(async () => (await cluster.client.list<AnyCustomKind>(kind)).items).toEqual([]);
      }
      await cluster.client.delete(Namespace, { name: "shop" });
    });

    test("05 Signet is installed, upgraded, broken, rolled back and removed", async () => {
      await using cluster = await open(signets);
      await using _ = new FakeDeploymentController(cluster);
      const [v1, v2] = [release("v1"), release("v2")];
      const ids = (objects: readonly EmbeddedObject[]): readonly string[] => objects.map(idOf).toSorted();
      const ready = (version: string) =>
        cluster.until(Signet, "signet", (now) => isReady(now) && now.status?.installed === version, STEP_MS);
      await cluster.create(Signet, { metadata: { name: "signet" }, spec: { version: "v1" } });
      expect((await ready("v1")).status?.objects).toBe(49);
      const before = await present(cluster, v1);
      expect([...before.keys()].toSorted()).toEqual(ids(v1));
      const plan = await command("plan", "signet", "--exit-code", "--summary");
      expect(plan).toMatchObject({ code: 0, stdout: "no changes: 49 up to date\n" });
      const status = await command("status", "signet");
      expect(status.stdout).toBe("signet  generation 1  Ready  applied 49/49  ready 49/49\n");

      await cluster.patch(Signet, "signet", { spec: { version: "v2", tag: MISSING_IMAGE } });
      const stalled = (operand: ObjectOf<typeof Operand>): boolean =>
        operand.metadata.generation === 2 && findCondition(operand.status?.conditions, "Stalled")?.status === "True";
      const broken = await cluster.until(Operand, "signet", stalled, STEP_MS);
      expect(broken.status?.failing?.map(({ kind, reason }) => `${kind} ${reason}`)).toContain(
        "Deployment ProgressDeadlineExceeded",
      );
      expectKept(before, await present(cluster, v1));

      await cluster.patch(Signet, "signet", { spec: { version: "v1", tag: null } });
      await cluster.until(Operand, "signet", (now) => now.metadata.generation === 3 && isReady(now), STEP_MS);
      await ready("v1");
      expectKept(before, await present(cluster, v1));
      const back = await command("status", "signet");
      expect(back.stdout).toBe("signet  generation 3  Ready  applied 49/49  ready 49/49  pruned 8/8\n");
      const added = ids(v2).filter((id) => !before.has(id));
      expect([...(await present(cluster, v2)).keys()].filter((id) => added.includes(id))).toEqual([
        "CustomResourceDefinition policies.signet.example",
      ]);

      await cluster.patch(Signet, "signet", { spec: { version: "v2" } });
      expect((await ready("v2")).status?.objects).toBe(51);
      const after = await present(cluster, [...v1, ...v2]);
      const left = ids(v1).filter((id) => NEVER_PRUNED.test(id));
      expect([...after.keys()].toSorted()).toEqual([...new Set([...left, ...ids(v2)])].toSorted());
      expect((await command("status", "signet")).stdout).toContain("pruned 7/7");

      await cluster.delete(Signet, "signet");
      await cluster.untilDeleted(Signet, "signet", STEP_MS);
      const rest = async (): Promise<readonly string[]> => [...(await present(cluster, [...v1, ...v2])).keys()];
      await expect.poll(async () => (await rest()).filter((id) => !NEVER_PRUNED.test(id))).toEqual([]);
      await expect.poll(async () => (await cluster.client.list(Deployment)).items).toEqual([]);
    });
  });
});
