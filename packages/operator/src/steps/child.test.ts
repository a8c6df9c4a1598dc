import { ConfigMap, Deployment, kind, Namespace, s, Secret } from "@levelset/core";
import type { NewOf, ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, expectTypeOf, test } from "vitest";
import { operator } from "../manager/index.ts";
import type { OutOf } from "../step/index.ts";
import { child } from "./index.ts";
import type { ChildStepOptions } from "./index.ts";

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
  await cluster.rest();
  return cluster;
}

const names = async (cluster: TestCluster): Promise<readonly string[]> =>
  (await cluster.list(ConfigMap, "default")).map(({ metadata }) => metadata.name);

describe("a child", () => {
  test("has its owner, and only the fields that are desired now; those of others stay", async () => {
    await using cluster = await open({ child: "c", data: { one: "1", two: "2" } });
    expect((await cluster.get(ConfigMap, "c"))?.metadata.ownerReferences).toMatchObject([
      { name: "a", controller: true },
    ]);
    await cluster.patch(ConfigMap, "c", { data: { theirs: "3" }, metadata: { labels: { team: "x" } } });
    await cluster.patch(Shop, "a", { spec: { data: { one: null } } });
    expect(await cluster.settled(Shop, "a")).toBeReady();
    const changed = await cluster.get(ConfigMap, "c");
    expect(changed?.data).toEqual({ two: "2", theirs: "3" });
    expect(changed?.metadata.labels).toEqual({ team: "x" });
  });

  test("is sent once, also where the server keeps a value in another form", async () => {
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
    expect(await cluster.settled(Shop, "a")).toBeReady();
    expect(cluster.writes(Deployment, "a")).toBe(1);
    await cluster.patch(Shop, "a", { spec: { data: { other: "1" } } });
    await cluster.patchStatus(Deployment, "a", { observedGeneration: 1, replicas: 1 });
    await cluster.rest();
    expect(cluster.writes(Deployment, "a")).toBe(1);
    await cluster.patch(Deployment, "a", { spec: { template: { spec: { hostNetwork: true } } } });
    await cluster.rest();
    expect((await cluster.get(Deployment, "a"))?.spec?.template.spec?.hostNetwork).not.toBe(true);
    expect(cluster.writes(Deployment, "a")).toBe(2);
  });

  test("that nobody desires any more is removed, and made again when somebody does", async () => {
    await using cluster = await open({ child: "c" });
    expect(await names(cluster)).toEqual(["c"]);
    await cluster.patch(Shop, "a", { spec: { child: null } });
    expect(await cluster.settled(Shop, "a")).toBeReady();
    expect(await names(cluster)).toEqual([]);
    await cluster.patch(Shop, "a", { spec: { child: "c" } });
    await cluster.rest();
    expect(await names(cluster)).toEqual(["c"]);
  });

  test("under a new name takes the place of the old one, and leaves the children of other steps and other objects alone", async () => {
    const other = settings({ desired: ({ name }) => ({ metadata: { name: `${name}-other` } }) }, "Other");
    await using cluster = await open({ child: "c" }, settings(), other);
    await cluster.apply(Shop, { name: "b", spec: { child: "d" } });
    await cluster.rest();
    await cluster.patch(Shop, "a", { spec: { child: "e" } });
    expect(await cluster.settled(Shop, "a")).toBeReady();
    expect(await names(cluster)).toEqual(["a-other", "b-other", "d", "e"]);
  });

  test("that two steps make is kept by the first, and the second says so instead of fighting for it", async () => {
    await using cluster = await open({ child: "c", data: { one: "1" } }, settings(), settings({}, "Other"));
    expect(await cluster.settled(Shop, "a")).toHaveCondition("OtherReady", "False", {
      severity: "Error",
      reason: "WantedTwice",
      message: "steps Settings and Other both make configmap/c: give one of them another name",
    });
    await cluster.patch(Shop, "a", { spec: { data: { one: "2" } } });
    expect(await cluster.settled(Shop, "a")).toHaveCondition("SettingsReady", "True");
    expect((await cluster.get(ConfigMap, "c"))?.data).toEqual({ one: "2" });
    expect(cluster.writes(ConfigMap, "c")).toBe(2);
  });

  test("goes from one step to another when they exchange names", async () => {
    const named = (step: string, first: string, later: string) =>
      settings({ desired: ({ spec }) => ({ metadata: { name: spec.child === undefined ? first : later } }) }, step);
    await using cluster = await open({}, named("One", "x", "y"), named("Two", "y", "x"));
    expect(await names(cluster)).toEqual(["x", "y"]);
    await cluster.patch(Shop, "a", { spec: { child: "other" } });
    expect(await cluster.settled(Shop, "a")).toBeReady();
    const makers = (await cluster.list(ConfigMap, "default")).map(
      ({ metadata }) => metadata.annotations?.["levelset.dev/step"],
    );
    expect(makers).toEqual(["Two/default/x", "One/default/y"]);
  });

  test("that somebody copied under another name has a copy that belongs to nobody", async () => {
    await using cluster = await open({ child: "c" }, settings({ owned: false }));
    const original = await cluster.get(ConfigMap, "c");
    const { labels = {}, annotations = {} } = original?.metadata ?? {};
    await cluster.create(ConfigMap, { name: "copy", labels, annotations });
    await cluster.rest();
    await cluster.delete(Shop, "a");
    await cluster.gone(Shop, "a");
    expect(await names(cluster)).toEqual(["copy"]);
  });

  test("that is being deleted is waited for and then made anew", async () => {
    await using cluster = await open({ child: "c", data: { one: "1" } });
    const before = await cluster.patch(ConfigMap, "c", { metadata: { finalizers: ["other.dev/hold"] } });
    await cluster.delete(ConfigMap, "c");
    expect(await cluster.settled(Shop, "a")).toHaveCondition("SettingsReady", "False", {
      severity: "Info",
      message: "configmap/c is being deleted; it is made anew when it is gone",
    });
    await cluster.patch(ConfigMap, "c", { metadata: { finalizers: null } });
    expect(await cluster.settled(Shop, "a")).toBeReady();
    const after = await cluster.get(ConfigMap, "c");
    expect(after?.metadata.uid).not.toBe(before.metadata.uid);
    expect(after?.data).toEqual({ one: "1" });
  });

  test("that the server refuses is an error that names the field and is not tried again", async () => {
    const bad = settings({ desired: ({ name }) => ({ metadata: { name }, data: { "no such key": "1" } }) });
    await using cluster = await open({}, bad);
    const object = await cluster.settled(Shop, "a");
    expect(object).toHaveCondition("SettingsReady", "False", { severity: "Error", message: /data\[no such key\]/u });
    const before = cluster.faults.count(isWrite);
    await cluster.clock.advance(600_000);
    expect(cluster.faults.count(isWrite)).toBe(before);
  });

  test("carries nothing from which its values could be guessed", async () => {
    const secret = child(Shop, "Password", {
      kind: Secret,
      desired: ({ name, spec }) => ({ metadata: { name }, stringData: { password: spec.data["password"] ?? "" } }),
    });
    await using cluster = await testCluster();
    cluster.run(operator(Shop, [secret]));
    const apply = async (password: string): Promise<ObjectOf<typeof Secret> | undefined> => {
      await cluster.apply(Shop, { name: "a", spec: { data: { password } } });
      await cluster.rest();
      return cluster.get(Secret, "a");
    };
    const [before, after] = [await apply("one"), await apply("two")];
    expect(after?.data).not.toEqual(before?.data);
    expect(after?.metadata.annotations).toEqual(before?.metadata.annotations);
    expect(JSON.stringify(cluster.logs)).not.toMatch(/one|b25l/u);
  });
});

describe("an object that is there already", () => {
  test("and belongs to another is left alone, and its name is free when that one goes", async () => {
    await using cluster = await open({ child: "c", data: { of: "a" } });
    await cluster.apply(Shop, { name: "b", spec: { child: "c", data: { of: "b" } } });
    expect(await cluster.settled(Shop, "b")).toHaveCondition("SettingsReady", "False", {
      severity: "Error",
      reason: "NotOurs",
      message: "configmap/c is there already and does not belong to shop/b",
    });
    expect((await cluster.get(ConfigMap, "c"))?.data).toEqual({ of: "a" });
    await cluster.delete(Shop, "a");
    await cluster.clock.advance(60_000);
    expect(await cluster.settled(Shop, "b")).toBeReady();
    expect((await cluster.get(ConfigMap, "c"))?.data).toEqual({ of: "b" });
  });

  test("and belongs to nobody becomes the child if the step adopts, with what it has besides", async () => {
    await using cluster = await testCluster();
    const { metadata } = await cluster.create(ConfigMap, { name: "c", data: { one: "theirs", two: "2" } });
    cluster.run(operator(Shop, [settings({ adopt: true })]));
    await cluster.apply(Shop, { name: "a", spec: { child: "c", data: { one: "1" } } });
    await cluster.apply(Shop, { name: "b", spec: { child: "c", data: { one: "1" } } });
    expect(await cluster.settled(Shop, "a")).toBeReady();
    expect(await cluster.settled(Shop, "b")).toHaveCondition("SettingsReady", "False", { reason: "NotOurs" });
    const adopted = await cluster.get(ConfigMap, "c");
    expect(adopted?.metadata.uid).toBe(metadata.uid);
    expect(adopted?.data).toEqual({ one: "1", two: "2" });
    expect(adopted?.metadata.ownerReferences).toMatchObject([{ name: "a" }]);
  });
});

describe("a child that cannot have an owner reference", () => {
  const elsewhere = { child: "c", namespace: "other" };

  test("is refused, with the way out", async () => {
    await using cluster = await open(elsewhere);
    expect(await cluster.settled(Shop, "a")).toHaveCondition("SettingsReady", "False", {
      severity: "Error",
      message: "step Settings: ConfigMap other/c cannot be owned by an object in namespace default: say owned: false",
    });
    const space = child(Shop, "Space", { kind: Namespace, desired: ({ name }) => ({ metadata: { name } }) });
    cluster.run(operator(Shop, [space]));
    expect(await cluster.settled(Shop, "a")).toHaveCondition("Space", "False", { message: /say owned: false$/u });
    expect(await cluster.get(Namespace, "a")).toBeUndefined();
  });

  test("is kept in another namespace by its mark, and removed before its owner goes", async () => {
    await using cluster = await open(elsewhere, settings({ owned: false }));
    expect(await cluster.settled(Shop, "a")).toHaveCondition("SettingsReady", "False", {
      severity: "Warning",
      message: /namespaces "other" not found/u,
    });
    await cluster.create(Namespace, { name: "other" });
    await cluster.clock.advance(60_000);
    expect(await cluster.settled(Shop, "a")).toBeReady();
    await cluster.delete(ConfigMap, "c", "other");
    expect(await cluster.settled(Shop, "a")).toBeReady();
    expect(await cluster.get(ConfigMap, "c", "other")).toBeDefined();
    await cluster.delete(Shop, "a");
    await cluster.gone(Shop, "a");
    expect(await cluster.get(ConfigMap, "c", "other")).toBeUndefined();
  });
});

describe("a protected child", () => {
  const protectedSettings = (options: Options = {}): ReturnType<typeof settings> =>
    settings({ protect: true, ...options });
  const FINALIZER = "test.levelset.dev/shop-child";

  test.each([true, false])("that somebody deletes stays until its owner is deleted; owned: %s", async (owned) => {
    await using cluster = await open({ child: "c" }, protectedSettings({ owned }));
    expect(cluster.writes(ConfigMap, "c")).toBe(1);
    expect((await cluster.get(ConfigMap, "c"))?.metadata.finalizers).toEqual([FINALIZER]);
    await cluster.delete(ConfigMap, "c");
    expect(await cluster.settled(Shop, "a")).toHaveCondition("SettingsReady", "False", {
      severity: "Error",
      reason: "ChildDeleted",
    });
    await cluster.delete(Shop, "a");
    await cluster.gone(Shop, "a");
    await cluster.gone(ConfigMap, "c");
  });

  test.each([true, false])("goes when it is no longer desired; owned: %s", async (owned) => {
    await using cluster = await open({ child: "c" }, protectedSettings({ owned }));
    await cluster.patch(Shop, "a", { spec: { child: "d" } });
    expect(await cluster.settled(Shop, "a")).toBeReady();
    expect(await names(cluster)).toEqual(["d"]);
    await cluster.patch(Shop, "a", { spec: { child: null } });
    expect(await cluster.settled(Shop, "a")).toBeReady();
    expect(await names(cluster)).toEqual([]);
  });
});

test("what a child hands over is undefined only where it may not be desired", () => {
  const always = child(Shop, "Always", { kind: ConfigMap, desired: ({ name }) => ({ metadata: { name } }) });
  const sometimes = settings();
  expectTypeOf<OutOf<typeof always>>().toEqualTypeOf<ObjectOf<typeof ConfigMap>>();
  expectTypeOf<OutOf<typeof sometimes>>().toEqualTypeOf<ObjectOf<typeof ConfigMap> | undefined>();
});
