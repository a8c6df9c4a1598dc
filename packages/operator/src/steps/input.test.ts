import { ConfigMap, Deployment, hashOf, kind, Namespace, s, Secret } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, expectTypeOf, test } from "vitest";
import { operator } from "../manager/index.ts";
import { kindWith, ok, step } from "../step/index.ts";
import type { OutOf, Step } from "../step/index.ts";
import { input } from "./index.ts";

const App = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "App",
  spec: s.object({ config: s.string().optional(), passwordKey: s.string().optional() }),
  status: s.object({ seen: s.string().optional(), hash: s.string().optional() }),
});
type App = typeof App;

/** Runs an operator that shows in its status what the input hands over. */
async function open(
  source: Step<App>,
  spec: { config?: string; passwordKey?: string } = { config: "c" },
): Promise<TestCluster> {
  const show = step(App, "Show", {
    uses: [source],
    do: (req) => {
      const value = req.from(source);
      req.status.seen = JSON.stringify(value);
      req.status.hash = hashOf(value);
      return ok();
    },
  });
  const cluster = await testCluster();
  cluster.run(operator(App, [source, show]));
  await cluster.apply(App, { name: "a", spec });
  await cluster.rest();
  return cluster;
}

const seen = async (cluster: TestCluster): Promise<unknown> => {
  const { status } = await cluster.settled(App, "a");
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

  test("hands over what is asked for and nothing else, so that its hash tells of that alone", async () => {
    await using cluster = await open(database);
    await cluster.create(Secret, { name: "c", stringData: { host: "db", password: "p" } });
    expect(await seen(cluster)).toEqual({ host: "db", port: 5432, password: "p" });
    const before = await cluster.settled(App, "a");
    await cluster.patch(Secret, "c", { stringData: { unused: "1" }, metadata: { labels: { a: "b" } } });
    expect(await cluster.settled(App, "a")).toEqual(before);
    await cluster.patch(Secret, "c", { stringData: { port: "1" } });
    expect((await cluster.settled(App, "a")).status?.hash).not.toBe(before.status?.hash);
  });

  test("is read under the keys that the object names", async () => {
    await using cluster = await open(database, { config: "c", passwordKey: "pw" });
    await cluster.create(Secret, { name: "c", stringData: { host: "db", password: "wrong", pw: "right" } });
    expect(await seen(cluster)).toMatchObject({ password: "right" });
  });

  test("that says something else is told by key and object, and never shown", async () => {
    await using cluster = await open(database);
    const bytes = Buffer.from([0xff, 0xfe]).toString("base64");
    await cluster.create(Secret, { name: "c", data: { host: bytes }, stringData: { port: "hunter2", tls: "hunter2" } });
    expect(await cluster.settled(App, "a")).toHaveCondition("InputReady", "False", {
      severity: "Warning",
      reason: "Error",
      message:
        "host in secret/c is not a text; port in secret/c is not a whole number; password is missing in secret/c; " +
        "tls in secret/c is not true or false",
    });
    expect(JSON.stringify([await cluster.get(App, "a"), cluster.logs])).not.toMatch(/hunter2|aHVudGVyMg/u);
  });

  test("that goes away is missed at once", async () => {
    await using cluster = await open(database);
    await cluster.create(Secret, { name: "c", stringData: { host: "db", password: "p" } });
    expect(await cluster.settled(App, "a")).toBeReady();
    await cluster.delete(Secret, "c");
    expect(await cluster.settled(App, "a")).toHaveCondition("InputReady", "False", {
      severity: "Info",
      reason: "Requested",
      message: "Missing input: secret/c",
    });
    expect(await seen(cluster)).toBeUndefined();
  });

  test("that a person must create is missed with a warning; one that is not named is an error", async () => {
    const must = input(App, "Settings", { configMap: ({ spec }) => spec.config, keys: {}, mustExist: true });
    await using cluster = await open(must);
    expect(await cluster.settled(App, "a")).toHaveCondition("Settings", "False", {
      severity: "Warning",
      reason: "Requested",
      message: "Missing input: configmap/c",
    });
    await cluster.patch(App, "a", { spec: { config: null } });
    expect(await cluster.settled(App, "a")).toHaveCondition("Settings", "False", {
      severity: "Error",
      message: "the spec names no configmap",
    });
  });

  test("cannot be named by an object that lives in no namespace", async () => {
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
    expect(await cluster.settled(Zone, "a")).toHaveCondition("Read", "False", {
      severity: "Error",
      message: "the spec names a secret, but not its namespace, and the object itself lives in none",
    });
  });

  test("may be text or bytes in a ConfigMap, and have any key", async () => {
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
  test("is found by its name, wherever its kind lives, and hands over what is picked once that is there", async () => {
    const replicas = input(App, "Replicas", {
      of: Deployment,
      name: ({ spec }) => spec.config,
      pick: ({ status }) => status?.readyReplicas,
    });
    await using cluster = await open(replicas);
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
    await cluster.create(Deployment, { name: "c", spec: { selector: { matchLabels: { a: "b" } }, template } });
    expect(await cluster.settled(App, "a")).toHaveCondition("Replicas", "False", {
      severity: "Info",
      message: "Incomplete input: deployment/c",
    });
    await cluster.patchStatus(Deployment, "c", { replicas: 1, readyReplicas: 1 });
    expect(await seen(cluster)).toBe(1);
    const uid = input(App, "Space", { of: Namespace, name: () => "kube-system", pick: ({ metadata }) => metadata.uid });
    await using other = await open(uid);
    expect(await seen(other)).toBe((await other.get(Namespace, "kube-system"))?.metadata.uid);
  });

  test("is found by labels, if one object has them; several are an error that names them", async () => {
    const found = input(App, "Found", {
      condition: "InputReady",
      of: ConfigMap,
      labels: ({ spec }) => (spec.config === undefined ? undefined : { for: spec.config }),
      pick: ({ data }) => data ?? {},
    });
    await using cluster = await open(found);
    const labels = { for: "c" };
    expect(await cluster.settled(App, "a")).toHaveCondition("InputReady", "False", {
      severity: "Info",
      message: "Missing input: configmap with for=c",
    });
    await cluster.create(ConfigMap, { name: "other", labels: { for: "d" } });
    await cluster.create(ConfigMap, { name: "one", labels, data: { n: "1" } });
    expect(await seen(cluster)).toEqual({ n: "1" });
    await cluster.create(ConfigMap, { name: "two", labels, data: { n: "2" } });
    expect(await cluster.settled(App, "a")).toHaveCondition("InputReady", "False", {
      severity: "Error",
      reason: "Error",
      message: "Several inputs with for=c: configmap/one, configmap/two",
    });
    await cluster.delete(ConfigMap, "one");
    expect(await seen(cluster)).toEqual({ n: "2" });
  });
});

test("an input is typed by what it reads, for every kind that has the field", () => {
  const numbers = input(kindWith<{ readonly config?: string }>(), "Numbers", {
    secret: ({ spec }) => spec.config,
    keys: { port: s.intFromString(), note: s.text().optional() },
  });
  expectTypeOf<OutOf<typeof numbers>>().toEqualTypeOf<{ readonly port: number; readonly note: string | undefined }>();
  const picked = input(App, "Picked", { of: ConfigMap, name: () => "c", pick: ({ data }) => data?.["size"] });
  expectTypeOf<OutOf<typeof picked>>().toEqualTypeOf<string>();
  expect(operator(App, [numbers, picked]).name).toContain("app");
});
