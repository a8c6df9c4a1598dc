import { expect, test } from "vitest";
import { ApiHarness, apiWithSimple, CONFIGMAPS, configMap, simple, SIMPLES } from "./api.fixture.ts";

test("a created object has server-set uid, version, time, generation and defaults", async () => {
  const api = await apiWithSimple();
  const { code, body } = await api.call("POST", SIMPLES, simple("a"));
  expect(code).toBe(201);
  expect(body.metadata).toMatchObject({
    name: "a",
    namespace: "default",
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
  });
  expect(body.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  expect(body.metadata.resourceVersion).toBe(String(api.store.revision));
  expect(body.spec).toEqual({ replicas: 1 });
});

test("system fields and status in the request are ignored", async () => {
  const api = await apiWithSimple();
  const meta = {
    uid: "mine",
    generation: 7,
    creationTimestamp: "2020-01-01T00:00:00Z",
    deletionTimestamp: "2020-01-01T00:00:00Z",
  };
  const { body } = await api.call("POST", SIMPLES, { ...simple("a", {}, meta), status: { seen: 1 } });
  expect(body.metadata.uid).not.toBe("mine");
  expect(body.metadata).toMatchObject({ generation: 1, creationTimestamp: "2026-01-01T00:00:00Z" });
  expect(body.metadata.deletionTimestamp).toBeUndefined();
  expect(body["status"]).toBeUndefined();
});

test("generateName appends five characters from an alphabet without vowels", async () => {
  const api = new ApiHarness();
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "job-" } };
  const first = await api.call("POST", CONFIGMAPS, body);
  const second = await api.call("POST", CONFIGMAPS, body);
  expect(first.body.metadata.name).toMatch(/^job-[bcdfghjklmnpqrstvwxz2456789]{5}$/u);
  expect(first.body.metadata.name).not.toBe(second.body.metadata.name);
  expect(first.body.metadata.generateName).toBe("job-");
});

test("a ConfigMap has no generation", async () => {
  const api = new ApiHarness();
  const { body } = await api.call("POST", CONFIGMAPS, configMap("a"));
  expect(body.metadata.generation).toBeUndefined();
});

test("an existing name returns 409 AlreadyExists", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  const { code, body } = await api.call("POST", SIMPLES, simple("a"));
  expect(code).toBe(409);
  expect(body).toMatchObject({
    reason: "AlreadyExists",
    message: 'simples.examples.levelset.dev "a" already exists',
    details: { name: "a", group: "examples.levelset.dev", kind: "simples" },
  });
});

test("a missing namespace returns 404 for the namespace", async () => {
  const api = new ApiHarness();
  const { code, body } = await api.call("POST", "/api/v1/namespaces/nowhere/configmaps", configMap("a"));
  expect(code).toBe(404);
  expect(body).toMatchObject({
    message: 'namespaces "nowhere" not found',
    details: { name: "nowhere", kind: "namespaces" },
  });
});

test("a namespace in the body must match the path", async () => {
  const api = await apiWithSimple();
  const { code, body } = await api.call("POST", SIMPLES, simple("a", {}, { namespace: "kube-system" }));
  expect(code).toBe(400);
  expect(body.message).toBe("the namespace of the provided object does not match the namespace sent on the request");
});

test.each([
  ["", /^metadata.name: Required value: name or generateName is required$/u],
  [
    "A_b",
    /^metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric/u,
  ],
  ["a".repeat(254), /^metadata.name: Invalid value: "a{254}": must be no more than 253 characters$/u],
])("the name %j is rejected with the message of kube-apiserver", async (name, message) => {
  const api = await apiWithSimple();
  const { code, body } = await api.call("POST", SIMPLES, simple(name));
  expect(code).toBe(422);
  const prefix = `Simple.examples.levelset.dev "${name}" is invalid: `;
  expect(body.message?.startsWith(prefix)).toBe(true);
  expect(body.message?.slice(prefix.length)).toMatch(message);
});

test.each([
  [{ labels: { "a/b/c": "x" } }, "metadata.labels"],
  [{ labels: { a: "no spaces" } }, "metadata.labels"],
  [{ annotations: { "!": "x" } }, "metadata.annotations"],
  [{ finalizers: ["a b"] }, "metadata.finalizers"],
  [{ ownerReferences: [{ apiVersion: "v1", kind: "X", name: "", uid: "1" }] }, "metadata.ownerReferences.name"],
])("invalid metadata %j returns 422 with the field", async (meta, field) => {
  const api = await apiWithSimple();
  const { code, body } = await api.call("POST", SIMPLES, simple("a", {}, meta));
  expect(code).toBe(422);
  expect(body.details?.causes?.[0]?.field).toBe(field);
});

test("labels of the wrong type return 400", async () => {
  const api = await apiWithSimple();
  const { code, body } = await api.call("POST", SIMPLES, simple("a", {}, { labels: { a: 1 } }));
  expect(code).toBe(400);
  expect(body.message).toContain('Simple in version "v1" cannot be handled as a Simple');
});

test("fields of the wrong type return 422 with the field paths", async () => {
  const api = await apiWithSimple();
  const { code, body } = await api.call("POST", SIMPLES, simple("a", { replicas: "x", mode: "slow" }));
  expect(code).toBe(422);
  expect(body.details?.causes?.map((cause) => cause.field)).toEqual(["spec.replicas", "spec.mode"]);
});

test("Strict rejects unknown fields, Warn reports and drops them, Ignore drops them", async () => {
  const api = await apiWithSimple();
  const body = simple("a", { x: 1, nested: { y: 2 } }, { z: 3 });
  const strict = await api.call("POST", `${SIMPLES}?fieldValidation=Strict`, body);
  expect(strict.code).toBe(400);
  expect(strict.body).toMatchObject({
    reason: "BadRequest",
    message:
      'Simple in version "v1" cannot be handled as a Simple: strict decoding error: unknown field "metadata.z", unknown field "spec.nested.y", unknown field "spec.x"',
  });
  const warn = await api.call("POST", SIMPLES, body);
  expect(warn.code).toBe(201);
  expect(warn.headers.get("warning")).toContain(String.raw`299 - "unknown field \"spec.x\""`);
  expect(warn.body.spec).toEqual({ replicas: 1, nested: {} });
  const ignore = await api.call("POST", `${SIMPLES}?fieldValidation=Ignore`, { ...body, metadata: { name: "b" } });
  expect(ignore.headers.get("warning")).toBeNull();
  expect((await api.call("POST", `${SIMPLES}?fieldValidation=Maybe`, body)).code).toBe(422);
});

test("dryRun=All validates the request and does not store it", async () => {
  const api = await apiWithSimple();
  const revision = api.store.revision;
  const { code, body } = await api.call("POST", `${SIMPLES}?dryRun=All`, simple("a"));
  expect([code, body.spec]).toEqual([201, { replicas: 1 }]);
  expect(body.metadata.resourceVersion).toBeUndefined();
  expect((await api.call("POST", `${SIMPLES}?dryRun=All`, simple("a", { replicas: -1 }))).code).toBe(422);
  expect((await api.call("POST", `${SIMPLES}?dryRun=Some`, simple("a"))).code).toBe(422);
  expect((await api.get(`${SIMPLES}/a`)).code).toBe(404);
  expect(api.store.revision).toBe(revision);
});

test("apiVersion and kind must match the path", async () => {
  const api = await apiWithSimple();
  const other = await api.call("POST", SIMPLES, { ...simple("a"), apiVersion: "v1" });
  expect(other.body.message).toBe(
    "the API version in the data (v1) does not match the expected API version (examples.levelset.dev/v1)",
  );
  const kind = await api.call("POST", SIMPLES, { ...simple("a"), kind: "Other" });
  expect(kind.code).toBe(422);
  expect(kind.body.message).toContain('kind: Invalid value: "Other": must be Simple');
  const secret = await api.call("POST", CONFIGMAPS, { ...configMap("a"), kind: "Secret" });
  expect([secret.code, secret.body.message]).toEqual([400, 'Secret in version "v1" cannot be handled as a ConfigMap']);
});

test("a resourceVersion on create is rejected", async () => {
  const api = await apiWithSimple();
  const { code, body } = await api.call("POST", SIMPLES, simple("a", {}, { resourceVersion: "5" }));
  expect([code, body.message]).toEqual([500, "resourceVersion should not be set on objects to be created"]);
});

test("a finalizer without a domain is stored with a warning", async () => {
  const api = await apiWithSimple();
  const { code, headers } = await api.call("POST", SIMPLES, simple("a", {}, { finalizers: ["mine"] }));
  expect(code).toBe(201);
  expect(headers.get("warning")).toContain("prefer a domain-qualified finalizer name");
});

test("integers above 2^53 are preserved", async () => {
  const api = new ApiHarness();
  const text = '{"metadata":{"name":"a","ownerReferences":[]},"data":{"n":"9007199254740993"}}';
  expect((await api.call("POST", CONFIGMAPS, text)).body.data).toEqual({ n: "9007199254740993" });
});
