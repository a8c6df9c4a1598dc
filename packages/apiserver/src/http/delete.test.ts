import { expect, test } from "vitest";
import { ApiHarness, apiWithSimple, CONFIGMAPS, configMap, SIMPLES } from "./api.fixture.ts";

test("an object without finalizers is deleted at once, and the response is a Success with its uid", async () => {
  const api = await apiWithSimple();
  const { metadata } = await api.simple("a");
  const { code, body } = await api.call("DELETE", `${SIMPLES}/a`);
  expect(code).toBe(200);
  expect(body).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name: "a", group: "examples.levelset.dev", kind: "simples", uid: metadata.uid },
  });
  expect((await api.call("DELETE", `${SIMPLES}/a`)).code).toBe(404);
});

test("an object with finalizers stays and is marked once, with a new generation", async () => {
  const api = await apiWithSimple();
  await api.simple("a", {}, { finalizers: ["x.dev/y"] });
  await api.clock.advance(5000);
  const { body } = await api.call("DELETE", `${SIMPLES}/a`);
  expect(body.metadata).toMatchObject({
    deletionTimestamp: "2026-01-01T00:00:05Z",
    deletionGracePeriodSeconds: 0,
    generation: 2,
  });
  await api.clock.advance(5000);
  const again = await api.call("DELETE", `${SIMPLES}/a`);
  expect(again.body).toEqual(body);
});

test("removing the last finalizer of a deleting object removes it, but not through /status", async () => {
  const api = await apiWithSimple();
  await api.simple("a", {}, { finalizers: ["x.dev/y", "x.dev/z"] });
  await api.call("DELETE", `${SIMPLES}/a`);
  await api.merge(`${SIMPLES}/a`, { metadata: { finalizers: ["x.dev/z"] } });
  await api.merge(`${SIMPLES}/a/status`, { metadata: { finalizers: null }, status: { seen: 1 } });
  expect((await api.get(`${SIMPLES}/a`)).code).toBe(200);
  const last = await api.merge(`${SIMPLES}/a`, { metadata: { finalizers: null } });
  expect(last.code).toBe(200);
  expect((await api.get(`${SIMPLES}/a`)).code).toBe(404);
});

test("finalizers cannot be added to a deleting object", async () => {
  const api = await apiWithSimple();
  await api.simple("a", {}, { finalizers: ["x.dev/y"] });
  await api.call("DELETE", `${SIMPLES}/a`);
  const { code, body } = await api.merge(`${SIMPLES}/a`, { metadata: { finalizers: ["x.dev/y", "x"] } });
  expect(code).toBe(422);
  expect(body.message).toContain(
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x"}',
  );
});

test("failed preconditions return 409", async () => {
  const api = await apiWithSimple();
  const { metadata } = await api.simple("a");
  const options = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" };
  const other = await api.call("DELETE", `${SIMPLES}/a`, { ...options, preconditions: { uid: "other" } });
  expect([other.code, other.body.reason]).toEqual([409, "Conflict"]);
  const old = await api.call("DELETE", `${SIMPLES}/a`, { ...options, preconditions: { resourceVersion: "1" } });
  expect(old.code).toBe(409);
  const { uid, resourceVersion } = metadata;
  expect((await api.call("DELETE", `${SIMPLES}/a`, { ...options, preconditions: { uid, resourceVersion } })).code).toBe(
    200,
  );
});

test("a dry run does not delete", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  expect((await api.call("DELETE", `${SIMPLES}/a?dryRun=All`)).body.status).toBe("Success");
  expect((await api.call("DELETE", `${SIMPLES}/a`, { dryRun: ["All"] })).code).toBe(200);
  expect((await api.get(`${SIMPLES}/a`)).code).toBe(200);
});

test("deletecollection deletes the selected objects and lists them", async () => {
  const api = new ApiHarness();
  for (const name of ["a", "b", "c"]) {
    const labels = { keep: name === "b" ? "yes" : "no" };
    await api.call("POST", CONFIGMAPS, { ...configMap(name), metadata: { name, labels } });
  }
  const { body } = await api.call("DELETE", `${CONFIGMAPS}?labelSelector=keep%3Dno`);
  expect(body.items?.map(({ metadata }) => metadata.name)).toEqual(["a", "c"]);
  const left = await api.get(CONFIGMAPS);
  expect(left.body.items?.map(({ metadata }) => metadata.name)).toEqual(["b"]);
});
