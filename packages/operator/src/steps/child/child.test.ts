import { ConfigMap, Deployment, kind, Namespace, s, Secret } from "@levelset/core";
import type { NewOf, ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, expectTypeOf, test } from "vitest";
import { operator } from "../../manager/index.ts";
import type { OutputOf } from "../../engine/index.ts";
import { child } from "../index.ts";
import type { ChildStepOptions } from "../index.ts";

const Shop = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Shop",
  spec: s.object({
    child: s.string().optional(),
    data: s.map(s.string()).default({}),
    namespace: s.string().optional(),
  }),
});
type Shop = typeof Shop;

type Options = Partial<ChildStepOptions<Shop, typeof ConfigMap, readonly [], NewOf<typeof ConfigMap> | undefined>>;

const settings = (options: Options = {}, name = "Settings") =>
  child(Shop, name, {
    condition: `${name}Ready`,
    kind: ConfigMap,
    desired: ({ spec }) =>
      spec.child === undefined
        ? undefined
        : {
            metadata: { name: spec.child, ...(spec.namespace === undefined ? {} : { namespace: spec.namespace }) },
            data: spec.data,
          },
    ...options,
  });

async function open(spec: NewOf<Shop>["spec"], ...steps: readonly ReturnType<typeof settings>[]): Promise<TestCluster> {
  const cluster = await testCluster();
  cluster.run(operator(Shop, steps.length === 0 ? [settings()] : steps));
  await cluster.apply(Shop, { name: "a", spec });
  await cluster.untilIdle();
  return cluster;
}

const names = async (cluster: TestCluster): Promise<readonly string[]> =>
  (await cluster.list(ConfigMap, "default")).map(({ metadata }) => metadata.name);

describe("a child", () => {
  test("has an owner reference and only the desired fields; fields of other managers stay", async () => {
    await using cluster = await open({ child: "c", data: { one: "1", two: "2" } });
    expect((await cluster.get(ConfigMap, "c"))?.metadata.ownerReferences).toMatchObject([
      { name: "a", controller: true },
    ]);
    await cluster.patch(ConfigMap, "c", { data: { theirs: "3" }, metadata: { labels: { team: "x" } } });
    await cluster.patch(Shop, "a", { spec: { data: { one: null } } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    const changed = await cluster.get(ConfigMap, "c");
    expect(changed?.data).toEqual({ two: "2", theirs: "3" });
    expect(changed?.metadata.labels).toEqual({ team: "x" });
  });

  test("is sent once, also if the server normalizes a value", async () => {
    const template = {
      metadata: { labels: { app: "a" }, annotations: {} },
      spec: {
        hostNetwork: false,
        containers: [{ name: "app", image: "app:1", resources: { limits: { cpu: 0.5, memory: "1024Mi" } } }],
      },
    };
    const workload = child(Shop, "Workload", {
      kind: Deployment,
      desired: ({ name }) => ({
        metadata: { name },
        spec: { paused: false, minReadySeconds: 0, selector: { matchLabels: { app: "a" } }, template },
      }),
    });
    await using cluster = await testCluster();
    cluster.run(operator(Shop, [workload]));
    await cluster.apply(Shop, { name: "a", spec: {} });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(cluster.writes(Deployment, "a")).toBe(1);
    await cluster.patch(Shop, "a", { spec: { data: { other: "1" } } });
    await cluster.patchStatus(Deployment, "a", { observedGeneration: 1, replicas: 1 });
    await cluster.untilIdle();
    expect(cluster.writes(Deployment, "a")).toBe(1);
    await cluster.patch(Deployment, "a", { spec: { template: { spec: { hostNetwork: true } } } });
    await cluster.untilIdle();
    expect((await cluster.get(Deployment, "a"))?.spec?.template.spec?.hostNetwork).not.toBe(true);
    expect(cluster.writes(Deployment, "a")).toBe(2);
  });

  test("that is no longer desired is removed, and recreated when it is desired again", async () => {
    await using cluster = await open({ child: "c" });
    expect(await names(cluster)).toEqual(["c"]);
    await cluster.patch(Shop, "a", { spec: { child: null } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(await names(cluster)).toEqual([]);
    await cluster.patch(Shop, "a", { spec: { child: "c" } });
    await cluster.untilIdle();
    expect(await names(cluster)).toEqual(["c"]);
  });

  test("under a new name replaces the old one, without touching children of other steps and objects", async () => {
    const other = settings({ desired: ({ name }) => ({ metadata: { name: `${name}-other` } }) }, "Other");
    await using cluster = await open({ child: "c" }, settings(), other);
    await cluster.apply(Shop, { name: "b", spec: { child: "d" } });
    await cluster.untilIdle();
    await cluster.patch(Shop, "a", { spec: { child: "e" } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(await names(cluster)).toEqual(["a-other", "b-other", "d", "e"]);
  });

  test("that two steps declare belongs to the first, and the second reports it", async () => {
    await using cluster = await open({ child: "c", data: { one: "1" } }, settings(), settings({}, "Other"));
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("OtherReady", "False", {
      severity: "Error",
      reason: "WantedTwice",
      message: "steps Settings and Other both create configmap/c: give it another name in one of them",
    });
    await cluster.patch(Shop, "a", { spec: { data: { one: "2" } } });
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("SettingsReady", "True");
    expect((await cluster.get(ConfigMap, "c"))?.data).toEqual({ one: "2" });
    expect(cluster.writes(ConfigMap, "c")).toBe(2);
  });

  test("moves to another step when the steps swap names", async () => {
    const named = (step: string, first: string, later: string) =>
      settings({ desired: ({ spec }) => ({ metadata: { name: spec.child === undefined ? first : later } }) }, step);
    await using cluster = await open({}, named("One", "x", "y"), named("Two", "y", "x"));
    expect(await names(cluster)).toEqual(["x", "y"]);
    await cluster.patch(Shop, "a", { spec: { child: "other" } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    const makers = (await cluster.list(ConfigMap, "default")).map(
      ({ metadata }) => metadata.annotations?.["levelset.dev/step"],
    );
    expect(makers).toEqual(["Two/default/x", "One/default/y"]);
  });

  test("that was copied under another name does not own the copy", async () => {
    await using cluster = await open({ child: "c" }, settings({ owned: false }));
    const original = await cluster.get(ConfigMap, "c");
    const { labels = {}, annotations = {} } = original?.metadata ?? {};
    await cluster.create(ConfigMap, { name: "copy", labels, annotations });
    await cluster.untilIdle();
    await cluster.delete(Shop, "a");
    await cluster.untilDeleted(Shop, "a");
    expect(await names(cluster)).toEqual(["copy"]);
  });

  test("that is being deleted is recreated once it is gone", async () => {
    await using cluster = await open({ child: "c", data: { one: "1" } });
    const before = await cluster.patch(ConfigMap, "c", { metadata: { finalizers: ["other.dev/hold"] } });
    await cluster.delete(ConfigMap, "c");
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("SettingsReady", "False", {
      severity: "Info",
      message: "configmap/c is being deleted; it is recreated once it is gone",
    });
    await cluster.patch(ConfigMap, "c", { metadata: { finalizers: null } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    const after = await cluster.get(ConfigMap, "c");
    expect(after?.metadata.uid).not.toBe(before.metadata.uid);
    expect(after?.data).toEqual({ one: "1" });
  });

  test("that the server rejects is an error that names the field and is not retried", async () => {
    const bad = settings({ desired: ({ name }) => ({ metadata: { name }, data: { "no such key": "1" } }) });
    await using cluster = await open({}, bad);
    const object = await cluster.untilSettled(Shop, "a");
    expect(object).toHaveCondition("SettingsReady", "False", { severity: "Error", message: /data\[no such key\]/u });
    const before = cluster.faults.count(isWrite);
    await cluster.clock.advance(600_000);
    expect(cluster.faults.count(isWrite)).toBe(before);
  });

  test("contains no data from which its values could be guessed", async () => {
    const secret = child(Shop, "Password", {
      kind: Secret,
      desired: ({ name, spec }) => ({ metadata: { name }, stringData: { password: spec.data["password"] ?? "" } }),
    });
    await using cluster = await testCluster();
    cluster.run(operator(Shop, [secret]));
    const apply = async (password: string): Promise<ObjectOf<typeof Secret> | undefined> => {
      await cluster.apply(Shop, { name: "a", spec: { data: { password } } });
      await cluster.untilIdle();
      return cluster.get(Secret, "a");
    };
    const [before, after] = [await apply("one"), await apply("two")];
    expect(after?.data).not.toEqual(before?.data);
    expect(after?.metadata.annotations).toEqual(before?.metadata.annotations);
    expect(JSON.stringify(cluster.logs)).not.toMatch(/one|b25l/u);
  });
});

describe("an existing object", () => {
  test("of another owner is not touched, and its name is free once it is gone", async () => {
    await using cluster = await open({ child: "c", data: { of: "a" } });
    await cluster.apply(Shop, { name: "b", spec: { child: "c", data: { of: "b" } } });
    expect(await cluster.untilSettled(Shop, "b")).toHaveCondition("SettingsReady", "False", {
      severity: "Error",
      reason: "NotOurs",
      message: "configmap/c already exists and does not belong to shop/b",
    });
    expect((await cluster.get(ConfigMap, "c"))?.data).toEqual({ of: "a" });
    await cluster.delete(Shop, "a");
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Shop, "b")).toBeReady();
    expect((await cluster.get(ConfigMap, "c"))?.data).toEqual({ of: "b" });
  });

  test("without an owner is adopted if the step adopts, and keeps its other fields", async () => {
    await using cluster = await testCluster();
    const { metadata } = await cluster.create(ConfigMap, { name: "c", data: { one: "theirs", two: "2" } });
    cluster.run(operator(Shop, [settings({ adopt: true })]));
    await cluster.apply(Shop, { name: "a", spec: { child: "c", data: { one: "1" } } });
    await cluster.apply(Shop, { name: "b", spec: { child: "c", data: { one: "1" } } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(await cluster.untilSettled(Shop, "b")).toHaveCondition("SettingsReady", "False", { reason: "NotOurs" });
    const adopted = await cluster.get(ConfigMap, "c");
    expect(adopted?.metadata.uid).toBe(metadata.uid);
    expect(adopted?.data).toEqual({ one: "1", two: "2" });
    expect(adopted?.metadata.ownerReferences).toMatchObject([{ name: "a" }]);
  });
});

describe("a child that cannot have an owner reference", () => {
  const elsewhere = { child: "c", namespace: "other" };

  test("is rejected with a hint", async () => {
    await using cluster = await open(elsewhere);
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("SettingsReady", "False", {
      severity: "Error",
      message: "step Settings: ConfigMap other/c cannot be owned by an object in namespace default: set owned: false",
    });
    const space = child(Shop, "Space", { kind: Namespace, desired: ({ name }) => ({ metadata: { name } }) });
    cluster.run(operator(Shop, [space]));
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("Space", "False", { message: /set owned: false$/u });
    expect(await cluster.get(Namespace, "a")).toBeUndefined();
  });

  test("is managed in another namespace by its annotation, and removed before its owner", async () => {
    await using cluster = await open(elsewhere, settings({ owned: false }));
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("SettingsReady", "False", {
      severity: "Warning",
      message: /namespaces "other" not found/u,
    });
    await cluster.create(Namespace, { name: "other" });
    await cluster.clock.advance(60_000);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    await cluster.delete(ConfigMap, "c", "other");
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(await cluster.get(ConfigMap, "c", "other")).toBeDefined();
    await cluster.delete(Shop, "a");
    await cluster.untilDeleted(Shop, "a");
    expect(await cluster.get(ConfigMap, "c", "other")).toBeUndefined();
  });
});

describe("a protected child", () => {
  const protectedSettings = (options: Options = {}): ReturnType<typeof settings> =>
    settings({ protect: true, ...options });
  const FINALIZER = "test.levelset.dev/shop-child";

  test.each([true, false])("that another client deletes stays until its owner is deleted; owned: %s", async (owned) => {
    await using cluster = await open({ child: "c" }, protectedSettings({ owned }));
    expect(cluster.writes(ConfigMap, "c")).toBe(1);
    expect((await cluster.get(ConfigMap, "c"))?.metadata.finalizers).toEqual([FINALIZER]);
    await cluster.delete(ConfigMap, "c");
    expect(await cluster.untilSettled(Shop, "a")).toHaveCondition("SettingsReady", "False", {
      severity: "Error",
      reason: "ChildDeleted",
    });
    await cluster.delete(Shop, "a");
    await cluster.untilDeleted(Shop, "a");
    await cluster.untilDeleted(ConfigMap, "c");
  });

  test.each([true, false])("is deleted when it is no longer desired; owned: %s", async (owned) => {
    await using cluster = await open({ child: "c" }, protectedSettings({ owned }));
    await cluster.patch(Shop, "a", { spec: { child: "d" } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(await names(cluster)).toEqual(["d"]);
    await cluster.patch(Shop, "a", { spec: { child: null } });
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    expect(await names(cluster)).toEqual([]);
  });
});

test("the output of a child is undefined only if desired may return undefined", () => {
  const always = child(Shop, "Always", { kind: ConfigMap, desired: ({ name }) => ({ metadata: { name } }) });
  const sometimes = settings();
  expectTypeOf<OutputOf<typeof always>>().toEqualTypeOf<ObjectOf<typeof ConfigMap>>();
  expectTypeOf<OutputOf<typeof sometimes>>().toEqualTypeOf<ObjectOf<typeof ConfigMap> | undefined>();
});
