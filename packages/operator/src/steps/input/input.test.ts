import { ConfigMap, Deployment, hashJson, kind, Namespace, s, Secret } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, expectTypeOf, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { kindWith, ok, step } from "../../engine/index.ts";
import type { OutputOf, Step } from "../../engine/index.ts";
import { input } from "../index.ts";

const App = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "App",
  spec: s.object({ config: s.string().optional(), passwordKey: s.string().optional() }),
  status: s.object({ seen: s.string().optional(), hash: s.string().optional() }),
});
type App = typeof App;

/** Runs an operator that writes the values of the input to its status. */
async function open(
  source: Step<App>,
  spec: { config?: string; passwordKey?: string } = { config: "c" },
): Promise<TestCluster> {
  const show = step(App, "Show", {
    uses: [source],
    do: (req) => {
      const value = req.from(source);
      req.status.seen = JSON.stringify(value);
      req.status.hash = hashJson(value);
      return ok();
    },
  });
  const cluster = await testCluster();
  cluster.run(operator(App, [source, show]));
  await cluster.apply(App, { name: "a", spec });
  await cluster.untilIdle();
  return cluster;
}

const seen = async (cluster: TestCluster): Promise<unknown> => {
  const { status } = await cluster.untilSettled(App, "a");
  return status?.seen === undefined ? undefined : JSON.parse(status.seen);
};

describe("an input from a Secret or a ConfigMap", () => {
  const database = input(App, "Database", {
    condition: "InputReady",
    secret: ({ spec }) => spec.config,
    keys: {
      host: s.text(),
      port: s.intFromString().default(5432),
      password: s.text(),
      tls: s.booleanFromString().optional(),
    },
    keyNames: ({ spec }) => ({ password: spec.passwordKey }),
  });

  test("returns only the declared values, so that its hash depends on them alone", async () => {
    await using cluster = await open(database);
    await cluster.create(Secret, { name: "c", stringData: { host: "db", password: "p" } });
    expect(await seen(cluster)).toEqual({ host: "db", port: 5432, password: "p" });
    const before = await cluster.untilSettled(App, "a");
    await cluster.patch(Secret, "c", { stringData: { unused: "1" }, metadata: { labels: { a: "b" } } });
    expect(await cluster.untilSettled(App, "a")).toEqual(before);
    await cluster.patch(Secret, "c", { stringData: { port: "1" } });
    expect((await cluster.untilSettled(App, "a")).status?.hash).not.toBe(before.status?.hash);
  });

  test("is read from the keys that the object names", async () => {
    await using cluster = await open(database, { config: "c", passwordKey: "pw" });
    await cluster.create(Secret, { name: "c", stringData: { host: "db", password: "wrong", pw: "right" } });
    expect(await seen(cluster)).toMatchObject({ password: "right" });
  });

  test("with invalid values is reported by key and object, never by value", async () => {
    await using cluster = await open(database);
    const bytes = Buffer.from([0xff, 0xfe]).toString("base64");
    await cluster.create(Secret, { name: "c", data: { host: bytes }, stringData: { port: "hunter2", tls: "hunter2" } });
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("InputReady", "False", {
      severity: "Warning",
      reason: "Error",
      message:
        "host in secret/c is not a text; port in secret/c is not a whole number; password is missing in secret/c; " +
        "tls in secret/c is not true or false",
    });
    expect(JSON.stringify([await cluster.get(App, "a"), cluster.logs])).not.toMatch(/hunter2|aHVudGVyMg/u);
  });

  test("that is deleted is reported at once", async () => {
    await using cluster = await open(database);
    await cluster.create(Secret, { name: "c", stringData: { host: "db", password: "p" } });
    expect(await cluster.untilSettled(App, "a")).toBeReady();
    await cluster.delete(Secret, "c");
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("InputReady", "False", {
      severity: "Info",
      reason: "Requested",
      message: "Missing input: secret/c",
    });
    expect(await seen(cluster)).toBeUndefined();
  });

  test("with mustExist is a warning if missing; an input without a name is an error", async () => {
    const must = input(App, "Settings", { configMap: ({ spec }) => spec.config, keys: {}, mustExist: true });
    await using cluster = await open(must);
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("Settings", "False", {
      severity: "Warning",
      reason: "Requested",
      message: "Missing input: configmap/c",
    });
    await cluster.patch(App, "a", { spec: { config: null } });
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("Settings", "False", {
      severity: "Error",
      message: "the spec names no configmap",
    });
  });

  test("cannot be named by a cluster-scoped object", async () => {
    const Zone = kind({
      group: "test.levelset.dev",
      version: "v1",
      kind: "Zone",
      scope: "Cluster",
      spec: s.object({}),
    });
    await using cluster = await testCluster();
    cluster.run(operator(Zone, [input(Zone, "Read", { secret: () => "c", keys: {} })]));
    await cluster.apply(Zone, { name: "a", spec: {} });
    expect(await cluster.untilSettled(Zone, "a")).toHaveCondition("Read", "False", {
      severity: "Error",
      message: "the spec names a secret without a namespace, and the object is cluster-scoped",
    });
  });

  test("may be text or bytes in a ConfigMap, under any key", async () => {
    const settings = input(App, "Settings", {
      configMap: ({ spec }) => spec.config,
      keys: { constructor: s.text().optional(), file: s.jsonFromString(), "app.name": s.text() },
    });
    await using cluster = await open(settings);
    const file = Buffer.from('{"a":1}').toString("base64");
    await cluster.create(ConfigMap, { name: "c", data: { "app.name": "shop" }, binaryData: { file } });
    expect(await seen(cluster)).toEqual({ file: { a: 1 }, "app.name": "shop" });
  });
});

describe("an input of any kind", () => {
  test("is found by name, namespaced or cluster-scoped, and returns the picked value once it exists", async () => {
    const replicas = input(App, "Replicas", {
      kind: Deployment,
      name: ({ spec }) => spec.config,
      pick: ({ status }) => status?.readyReplicas,
    });
    await using cluster = await open(replicas);
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
    await cluster.create(Deployment, { name: "c", spec: { selector: { matchLabels: { a: "b" } }, template } });
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("Replicas", "False", {
      severity: "Info",
      message: "Incomplete input: deployment/c",
    });
    await cluster.patchStatus(Deployment, "c", { replicas: 1, readyReplicas: 1 });
    expect(await seen(cluster)).toBe(1);
    const uid = input(App, "Space", {
      kind: Namespace,
      name: () => "kube-system",
      pick: ({ metadata }) => metadata.uid,
    });
    await using other = await open(uid);
    expect(await seen(other)).toBe((await other.get(Namespace, "kube-system"))?.metadata.uid);
  });

  test("is found by labels if one object matches; several are an error that names them", async () => {
    const found = input(App, "Found", {
      condition: "InputReady",
      kind: ConfigMap,
      labels: ({ spec }) => (spec.config === undefined ? undefined : { for: spec.config }),
      pick: ({ data }) => data ?? {},
    });
    await using cluster = await open(found);
    const labels = { for: "c" };
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("InputReady", "False", {
      severity: "Info",
      message: "Missing input: configmap with for=c",
    });
    await cluster.create(ConfigMap, { name: "other", labels: { for: "d" } });
    await cluster.create(ConfigMap, { name: "one", labels, data: { n: "1" } });
    expect(await seen(cluster)).toEqual({ n: "1" });
    await cluster.create(ConfigMap, { name: "two", labels, data: { n: "2" } });
    expect(await cluster.untilSettled(App, "a")).toHaveCondition("InputReady", "False", {
      severity: "Error",
      reason: "Error",
      message: "Several inputs with for=c: configmap/one, configmap/two",
    });
    await cluster.delete(ConfigMap, "one");
    expect(await seen(cluster)).toEqual({ n: "2" });
  });
});

test("the type of an input follows from its parsers or its pick function", () => {
  const numbers = input(kindWith<{ readonly config?: string }>(), "Numbers", {
    secret: ({ spec }) => spec.config,
    keys: { port: s.intFromString(), note: s.text().optional() },
  });
  expectTypeOf<OutputOf<typeof numbers>>().toEqualTypeOf<{
    readonly port: number;
    readonly note: string | undefined;
  }>();
  const picked = input(App, "Picked", { kind: ConfigMap, name: () => "c", pick: ({ data }) => data?.["size"] });
  expectTypeOf<OutputOf<typeof picked>>().toEqualTypeOf<string>();
  expect(operator(App, [numbers, picked]).name).toContain("app");
});
