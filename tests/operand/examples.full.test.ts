import { Deployment, findCondition, isReady, Namespace } from "@levelset/core";
import type { AnyCustomKind, EmbeddedObject, ObjectKey, ObjectOf, Runnable } from "@levelset/core";
import { ClusterActiveOperand, Discovery, Operand, OperandRevision } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import platforms, { Platform } from "../../examples/04-platform/platform.ts";
import signets, { release, Signet } from "../../examples/05-signet/signet.ts";
import { realPlace } from "../engine/place.ts";
import { Stage } from "../engine/stage.ts";
import { TestProcess } from "../support/process.ts";
import { onRealCluster } from "../support/real-cluster.ts";
import { LAUNCHER, ROOT } from "../support/repository.ts";
import type { Target } from "../support/target.ts";
import { NO_IMAGE, Workloads } from "./workloads.ts";

const STEP_MS = 20_000;
const TEST_MS = 180_000;
const NEVER_PRUNED = /^(?:Namespace|CustomResourceDefinition) /u;

/** How a set calls an object. */
function idOf(object: EmbeddedObject): string {
  const { namespace, name } = keyOf(object);
  return [object.kind, namespace, name].filter((part) => part !== undefined).join(" ");
}

function keyOf({ metadata }: EmbeddedObject): ObjectKey {
  return metadata as unknown as ObjectKey; // objects of the examples have names
}

/** Those of the objects that are there, each with its uid. */
async function present(stage: Stage, objects: readonly EmbeddedObject[]): Promise<ReadonlyMap<string, string>> {
  const discovery = new Discovery(stage.client);
  const { signal } = new AbortController();
  const found = new Map<string, string>();
  for (const object of objects) {
    const kind = await discovery.kindOf(object, { signal });
    const { namespace, name } = keyOf(object);
    const { items } = await stage.client.list(kind, {
      ...(namespace === undefined ? {} : { namespace }),
      fields: `metadata.name=${name}`,
    });
    for (const { metadata } of items) found.set(idOf(object), metadata.uid);
  }
  return found;
}

/** Expects what was there to be there still, as the same objects. */
function expectKept(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): void {
  expect(Object.fromEntries([...before].map(([id]) => [id, after.get(id)]))).toEqual(Object.fromEntries(before));
}

await onRealCluster("The examples on a real kube-apiserver", (start) => {
  describe("on a real kube-apiserver, with Deployments that are only said to run", () => {
    let target: Target;

    beforeAll(async () => {
      target = await start({ controllerManager: true, withoutControllers: ["deployment-controller"] });
    });
    afterAll(() => target[Symbol.asyncDispose]());

    async function open(runnable: Runnable): Promise<Stage> {
      const stage = new Stage(await realPlace(target));
      for (const kind of runnable.kinds ?? []) await stage.place.install(kind);
      stage.place.start(runnable);
      return stage;
    }

    /** What the command says of an Operand, as a process that has not applied it. */
    async function command(...args: readonly string[]) {
      const all = [LAUNCHER, "operand", ...args, "--kubeconfig", target.kubeconfig];
      await using program = new TestProcess(process.execPath, { args: all, cwd: ROOT });
      return await program.ended();
    }

    test("04 Platform is installed, upgraded, broken, rolled back and removed", { timeout: TEST_MS }, async () => {
      await using stage = await open(platforms);
      await using _ = new Workloads(stage.place);
      const spec = { version: "1.0", workers: 2, metrics: true, settings: { LOG_LEVEL: "info" } };
      await stage.create(Platform, { metadata: { name: "shop" }, spec });
      const installed = await stage.until(Platform, "shop", isReady, STEP_MS);
      expect(installed.status).toMatchObject({ version: "1.0", objects: 9 });
      const set = (await stage.find(Operand, "shop"))?.spec;
      const all = [...(set?.steadyState ?? []), ...(set?.postInstall ?? [])];
      const before = await present(stage, all);
      expect([...before.keys()].toSorted()).toEqual(all.map(idOf).toSorted());

      await stage.patch(Platform, "shop", { spec: { version: "1.1" } });
      await stage.until(Platform, "shop", (now) => isReady(now) && now.status?.version === "1.1", STEP_MS);
      expectKept(before, await present(stage, all));

      await stage.patch(Platform, "shop", { spec: { version: NO_IMAGE, metrics: false } });
      const broken = await stage.until(
        Platform,
        "shop",
        ({ status }) => findCondition(status?.conditions, "Ready")?.severity === "Error",
        STEP_MS,
      );
      expect(findCondition(broken.status?.conditions, "Ready")?.message).toMatch(/deployment\.apps\/gateway in shop/u);
      expectKept(before, await present(stage, all));

      await stage.patch(Platform, "shop", { spec: { version: "1.1", metrics: true } });
      await stage.until(Platform, "shop", (now) => isReady(now) && now.status?.version === "1.1", STEP_MS);
      expectKept(before, await present(stage, all));

      await stage.delete(Platform, "shop");
      await stage.gone(Platform, "shop", STEP_MS);
      expect([...(await present(stage, all)).keys()]).toEqual(["Namespace shop"]);
      for (const kind of [Operand, ClusterActiveOperand, OperandRevision]) {
        expect((await stage.client.list<AnyCustomKind>(kind)).items).toEqual([]);
      }
      await stage.client.delete(Namespace, { name: "shop" });
    });

    test("05 Signet is installed, upgraded, broken, rolled back and removed", { timeout: TEST_MS }, async () => {
      await using stage = await open(signets);
      await using _ = new Workloads(stage.place);
      const [v1, v2] = [release("v1"), release("v2")];
      const ids = (objects: readonly EmbeddedObject[]): readonly string[] => objects.map(idOf).toSorted();
      const ready = (version: string) =>
        stage.until(Signet, "signet", (now) => isReady(now) && now.status?.installed === version, STEP_MS);
      await stage.create(Signet, { metadata: { name: "signet" }, spec: { version: "v1" } });
      expect((await ready("v1")).status?.objects).toBe(49);
      const before = await present(stage, v1);
      expect([...before.keys()].toSorted()).toEqual(ids(v1));
      const plan = await command("plan", "signet", "--exit-code", "--summary");
      expect(plan).toMatchObject({ code: 0, stdout: "nothing to do: 49 as they should be\n" });
      const status = await command("status", "signet");
      expect(status.stdout).toBe("signet  generation 1  Ready  applied 49/49  ready 49/49\n");

      await stage.patch(Signet, "signet", { spec: { version: "v2", tag: NO_IMAGE } });
      const stalled = (operand: ObjectOf<typeof Operand>): boolean =>
        operand.metadata.generation === 2 && findCondition(operand.status?.conditions, "Stalled")?.status === "True";
      const broken = await stage.until(Operand, "signet", stalled, STEP_MS);
      expect(broken.status?.failing?.map(({ kind, reason }) => `${kind} ${reason}`)).toContain(
        "Deployment ProgressDeadlineExceeded",
      );
      expectKept(before, await present(stage, v1));

      await stage.patch(Signet, "signet", { spec: { version: "v1", tag: null } });
      await stage.until(Operand, "signet", (now) => now.metadata.generation === 3 && isReady(now), STEP_MS);
      await ready("v1");
      expectKept(before, await present(stage, v1));
      const back = await command("status", "signet");
      expect(back.stdout).toBe("signet  generation 3  Ready  applied 49/49  ready 49/49  pruned 8/8\n");
      const added = ids(v2).filter((id) => !before.has(id));
      expect([...(await present(stage, v2)).keys()].filter((id) => added.includes(id))).toEqual([
        "CustomResourceDefinition policies.signet.example",
      ]);

      await stage.patch(Signet, "signet", { spec: { version: "v2" } });
      expect((await ready("v2")).status?.objects).toBe(51);
      const after = await present(stage, [...v1, ...v2]);
      const left = ids(v1).filter((id) => NEVER_PRUNED.test(id));
      expect([...after.keys()].toSorted()).toEqual([...new Set([...left, ...ids(v2)])].toSorted());
      expect((await command("status", "signet")).stdout).toContain("pruned 7/7");

      await stage.delete(Signet, "signet");
      await stage.gone(Signet, "signet", STEP_MS);
      const rest = await present(stage, [...v1, ...v2]);
      expect([...rest.keys()].filter((id) => !NEVER_PRUNED.test(id))).toEqual([]);
      expect((await stage.client.list(Deployment)).items).toEqual([]);
    });
  });
});
