import fc from "fast-check";
import { expect, test } from "vitest";
import { ApiHarness, apiWithSimple, CONFIGMAPS, configMap, simple, SIMPLES } from "./api.fixture.ts";

test("a spec change increments the generation; labels and status do not", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  const spec = await api.merge(`${SIMPLES}/a`, { spec: { replicas: 2 } });
  expect(spec.body.metadata.generation).toBe(2);
  const labels = await api.merge(`${SIMPLES}/a`, { metadata: { labels: { a: "b" } } });
  expect(labels.body.metadata.generation).toBe(2);
  const status = await api.merge(`${SIMPLES}/a/status`, { status: { seen: 1 } });
  expect(status.body.metadata.generation).toBe(2);
});

test("an update without changes keeps the resourceVersion", async () => {
  const api = await apiWithSimple();
  const created = await api.simple("a", { replicas: 2 });
  const same = await api.call("PUT", `${SIMPLES}/a`, created);
  expect(same.body.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
  const patched = await api.merge(`${SIMPLES}/a`, { spec: { replicas: 2 } });
  expect(patched.body.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
});

test("a custom resource is not replaced without a resourceVersion", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  const { code, body } = await api.call("PUT", `${SIMPLES}/a`, simple("a", { replicas: 2 }));
  expect(code).toBe(422);
  expect(body.message).toBe(
    'simples.examples.levelset.dev "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  );
});

test("a built-in object is replaced without a resourceVersion", async () => {
  const api = new ApiHarness();
  await api.call("POST", CONFIGMAPS, configMap("a", { x: "1" }));
  const { code, body } = await api.call("PUT", `${CONFIGMAPS}/a`, configMap("a", { y: "2" }));
  expect([code, body.data]).toEqual([200, { y: "2" }]);
});

test("an outdated resourceVersion returns 409 Conflict, by PUT and by a patch with a version", async () => {
  const api = await apiWithSimple();
  const old = await api.simple("a");
  await api.merge(`${SIMPLES}/a`, { spec: { replicas: 2 } });
  const message =
    'Operation cannot be fulfilled on simples.examples.levelset.dev "a": the object has been modified; please apply your ' +
    "changes to the latest version and try again";
  const put = await api.call("PUT", `${SIMPLES}/a`, old);
  expect([put.code, put.body.reason, put.body.message]).toEqual([409, "Conflict", message]);
  const { resourceVersion } = old.metadata;
  const patch = await api.merge(`${SIMPLES}/a`, { metadata: { resourceVersion }, spec: { replicas: 3 } });
  expect([patch.code, patch.body.message]).toEqual([409, message]);
});

test("a different uid returns 409, because the object was recreated", async () => {
  const api = await apiWithSimple();
  const created = await api.simple("a");
  const { code, body } = await api.call("PUT", `${SIMPLES}/a`, {
    ...created,
    metadata: { ...created.metadata, uid: "other" },
  });
  expect(code).toBe(409);
  expect(body.message).toContain(
    `Precondition failed: UID in precondition: other, UID in object meta: ${created.metadata.uid}`,
  );
});

test("creationTimestamp and generation of a request are ignored; a deletionTimestamp is rejected", async () => {
  const api = await apiWithSimple();
  const created = await api.simple("a");
  const tampered = { ...created.metadata, generation: 9, creationTimestamp: "2001-01-01T00:00:00Z" };
  const { body } = await api.call("PUT", `${SIMPLES}/a`, { ...created, metadata: tampered });
  expect(body.metadata).toEqual(created.metadata);
  const deleted = await api.merge(`${SIMPLES}/a`, { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } });
  expect(deleted.code).toBe(422);
  expect(deleted.body.message).toContain("metadata.deletionTimestamp: Invalid value");
});

test("the name in the body must match the path", async () => {
  const api = await apiWithSimple();
  const created = await api.simple("a");
  const { code, body } = await api.call("PUT", `${SIMPLES}/a`, {
    ...created,
    metadata: { ...created.metadata, name: "b" },
  });
  expect([code, body.message]).toEqual([400, "the name of the object (b) does not match the name on the URL (a)"]);
});

test("the main endpoint ignores status, and /status ignores all other fields", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  await api.merge(`${SIMPLES}/a/status`, {
    metadata: { labels: { a: "b" }, finalizers: ["x.dev/y"] },
    spec: { replicas: 5 },
    status: { seen: 1 },
  });
  const { body } = await api.merge(`${SIMPLES}/a`, { status: { seen: 2 } });
  expect(body["status"]).toEqual({ seen: 1 });
  expect(body.spec).toEqual({ replicas: 1 });
  expect(body.metadata.labels).toBeUndefined();
  expect(body.metadata.finalizers).toBeUndefined();
});

test("a status of the wrong type returns 422, and PUT of status checks the version", async () => {
  const api = await apiWithSimple();
  const created = await api.simple("a");
  expect((await api.merge(`${SIMPLES}/a/status`, { status: { seen: "x" } })).code).toBe(422);
  const put = await api.call("PUT", `${SIMPLES}/a/status`, { ...created, status: { seen: 4 } });
  expect(put.body["status"]).toEqual({ seen: 4 });
  expect((await api.call("PUT", `${SIMPLES}/a/status`, { ...created, status: { seen: 5 } })).code).toBe(409);
  expect((await api.get(`${SIMPLES}/a/status`)).body["status"]).toEqual({ seen: 4 });
});

test("an update of a missing object returns 404", async () => {
  const api = await apiWithSimple();
  expect((await api.merge(`${SIMPLES}/a`, {})).code).toBe(404);
  expect((await api.call("PUT", `${SIMPLES}/a`, simple("a", {}, { resourceVersion: "1" }))).code).toBe(404);
  expect((await api.get("/api/v1/namespaces/default/configmaps/a/status")).code).toBe(404);
});

test("a dry run of an update returns the result and does not store it", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  const dry = await api.merge(`${SIMPLES}/a?dryRun=All`, { spec: { replicas: 9 } });
  expect(dry.body.metadata.generation).toBe(2);
  expect((await api.get(`${SIMPLES}/a`)).body.spec).toEqual({ replicas: 1 });
});

test("generation counts exactly the changes of spec, whatever else is written", async () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant("spec"), value: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ kind: fc.constant("label"), value: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ kind: fc.constant("status"), value: fc.integer({ min: 0, max: 3 }) }),
  );
  const property = fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
    const api = await apiWithSimple();
    await api.simple("a", { replicas: 0 });
    let [generation, replicas] = [1, 0];
    for (const { kind, value } of changes) {
      if (kind === "spec" && value !== replicas) [generation, replicas] = [generation + 1, value];
      if (kind === "spec") await api.merge(`${SIMPLES}/a`, { spec: { replicas: value } });
      if (kind === "label") await api.merge(`${SIMPLES}/a`, { metadata: { labels: { v: String(value) } } });
      if (kind === "status") await api.merge(`${SIMPLES}/a/status`, { status: { seen: value } });
    }
    expect((await api.get(`${SIMPLES}/a`)).body.metadata.generation).toBe(generation);
  });
  await fc.assert(property, { numRuns: 25 });
});
