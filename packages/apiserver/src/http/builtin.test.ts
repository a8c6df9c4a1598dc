import { expect, test } from "vitest";
import { ApiHarness, apiWithSimple, CONFIGMAPS, configMap, SIMPLES, simple } from "./api.fixture.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const NAMESPACES = "/api/v1/namespaces";
const secret = (fields: object): object => ({ apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, ...fields });

test("stringData of a Secret is merged into data, and its type defaults to Opaque", async () => {
  const api = new ApiHarness();
  const { body } = await api.call("POST", SECRETS, secret({ data: { a: "eA==" }, stringData: { a: "y", b: "ü" } }));
  expect(body.data).toEqual({ a: "eQ==", b: "w7w=" });
  expect(body["type"]).toBe("Opaque");
  expect(body["stringData"]).toBeUndefined();
  const patched = await api.merge(`${SECRETS}/s`, { stringData: { c: "z" } });
  expect(patched.body.data).toEqual({ a: "eQ==", b: "w7w=", c: "eg==" });
  expect((await api.merge(`${SECRETS}/s`, { type: "other" })).body.message).toContain("type: Invalid value");
});

test("values that are not base64 return 400, invalid keys 422", async () => {
  const api = new ApiHarness();
  const value = await api.call("POST", SECRETS, secret({ data: { a: "not base64!" } }));
  expect(value.code).toBe(400);
  const key = await api.call("POST", CONFIGMAPS, configMap("a", { "a/b": "" }));
  expect(key.body.details?.causes?.[0]?.field).toBe("data[a/b]");
  const type = await api.call("POST", CONFIGMAPS, { ...configMap("a"), data: { a: 1 } });
  expect(type.code).toBe(400);
});

test("an immutable ConfigMap rejects data changes and accepts label changes", async () => {
  const api = new ApiHarness();
  await api.call("POST", CONFIGMAPS, { ...configMap("a", { k: "v" }), immutable: true });
  const data = await api.merge(`${CONFIGMAPS}/a`, { data: { k: "w" } });
  expect(data.body.message).toContain("data: Forbidden: field is immutable when `immutable` is set");
  expect((await api.merge(`${CONFIGMAPS}/a`, { immutable: null })).code).toBe(422);
  expect((await api.merge(`${CONFIGMAPS}/a`, { metadata: { labels: { a: "b" } } })).code).toBe(200);
});

test("a server starts with the default namespaces, most of which cannot be deleted", async () => {
  const api = new ApiHarness();
  const { body } = await api.get(NAMESPACES);
  expect(body.items?.map(({ metadata }) => metadata.name)).toEqual([
    "default",
    "kube-node-lease",
    "kube-public",
    "kube-system",
  ]);
  const refused = await api.call("DELETE", `${NAMESPACES}/default`);
  expect([refused.code, refused.body.message]).toEqual([
    403,
    'namespaces "default" is forbidden: this namespace may not be deleted',
  ]);
});

test("a new namespace is Active, has the kubernetes finalizer, and is labelled with its name", async () => {
  const api = new ApiHarness();
  const { body } = await api.call("POST", NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } });
  expect(body).toMatchObject({
    metadata: { labels: { "kubernetes.io/metadata.name": "n" } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  });
  const long = await api.call("POST", NAMESPACES, { metadata: { name: "a.b" } });
  expect(long.body.message).toContain("must not contain dots");
});

test("deleting a namespace deletes its content, then itself", async () => {
  const api = new ApiHarness();
  await api.call("POST", NAMESPACES, { metadata: { name: "n" } });
  await api.call("POST", "/api/v1/namespaces/n/configmaps", configMap("a"));
  const watching = await api.watch("/api/v1/configmaps?watch=true&resourceVersion=" + api.store.revision);
  const { body } = await api.call("DELETE", `${NAMESPACES}/n`);
  expect(body).toMatchObject({ status: { phase: "Terminating" } });
  expect((await watching.take(1)).map(({ type }) => type)).toEqual(["DELETED"]);
  expect((await api.get(`${NAMESPACES}/n`)).code).toBe(404);
});

test("a terminating namespace waits for finalizers of its content and rejects new objects", async () => {
  const api = await apiWithSimple();
  await api.call("POST", NAMESPACES, { metadata: { name: "n" } });
  const simples = SIMPLES.replace("default", "n");
  await api.call("POST", simples, simple("a", {}, { finalizers: ["x.dev/y"] }));
  await api.call("DELETE", `${NAMESPACES}/n`);
  const { body } = await api.get(`${NAMESPACES}/n`);
  expect(body).toMatchObject({ status: { phase: "Terminating" }, spec: { finalizers: ["kubernetes"] } });
  const refused = await api.call("POST", "/api/v1/namespaces/n/configmaps", configMap("late"));
  expect([refused.code, refused.body.message]).toEqual([
    403,
    'configmaps "late" is forbidden: unable to create new content in namespace n because it is being terminated',
  ]);
  await api.merge(`${simples}/a`, { metadata: { finalizers: null } });
  expect((await api.get(`${NAMESPACES}/n`)).code).toBe(404);
});
