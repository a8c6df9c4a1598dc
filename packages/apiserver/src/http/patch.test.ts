import { expect, test } from "vitest";
import { ApiHarness, apiWithSimple, CONFIGMAPS, configMap, SIMPLES } from "./api.fixture.ts";

const JSON_PATCH = { type: "application/json-patch+json" };
const STRATEGIC = { type: "application/strategic-merge-patch+json" };

test("a JSON patch applies all of its operations or none", async () => {
  const api = await apiWithSimple();
  await api.simple("a", { replicas: 2 });
  const good = [
    { op: "test", path: "/spec/replicas", value: 2 },
    { op: "replace", path: "/spec/replicas", value: 3 },
    { op: "add", path: "/metadata/finalizers", value: ["x.dev/y"] },
  ];
  const { body } = await api.call("PATCH", `${SIMPLES}/a`, good, JSON_PATCH);
  expect([body.spec, body.metadata.finalizers]).toEqual([{ replicas: 3 }, ["x.dev/y"]]);
  const { code, body: failed } = await api.call("PATCH", `${SIMPLES}/a`, good, JSON_PATCH);
  expect([code, failed.reason, failed.message]).toEqual([
    422,
    "Invalid",
    "the server rejected our request due to an error in our request",
  ]);
  expect((await api.get(`${SIMPLES}/a`)).body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
});

test("a malformed patch returns 400", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  expect((await api.call("PATCH", `${SIMPLES}/a`, { op: "add" }, JSON_PATCH)).code).toBe(400);
  expect((await api.call("PATCH", `${SIMPLES}/a`, [{ op: "jump", path: "/x" }], JSON_PATCH)).code).toBe(400);
  expect((await api.call("PATCH", `${SIMPLES}/a`, "{", JSON_PATCH)).code).toBe(400);
  expect((await api.merge(`${SIMPLES}/a`, [1])).code).toBe(400);
});

test("a merge patch removes fields set to null and validates the result", async () => {
  const api = await apiWithSimple();
  await api.simple("a", { mode: "fast", nested: { text: "x" } });
  const { body } = await api.merge(`${SIMPLES}/a`, { spec: { mode: null, nested: { text: "y" } } });
  expect(body.spec).toEqual({ replicas: 1, nested: { text: "y" } });
  const wrong = await api.merge(`${SIMPLES}/a`, { spec: { replicas: -1 } });
  expect(wrong.body.message).toContain(
    "spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0",
  );
  const unknown = await api.merge(`${SIMPLES}/a?fieldValidation=Strict`, { spec: { nope: 1 } });
  expect([unknown.code, unknown.body.message]).toEqual([
    422,
    ' "" is invalid: patch: Invalid value: "{...}": strict decoding error: unknown field "spec.nope"',
  ]);
});

test("custom resources reject strategic merge patches", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  const strategic = await api.call("PATCH", `${SIMPLES}/a`, {}, STRATEGIC);
  expect([strategic.code, strategic.body.reason]).toEqual([415, "UnsupportedMediaType"]);
  expect(strategic.body.message).toBe(
    "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, " +
      "application/merge-patch+json, application/apply-patch+yaml",
  );
});

test("a strategic merge patch merges finalizers as a set and owner references by uid", async () => {
  const api = new ApiHarness();
  const [first, second] = await Promise.all(["o", "p"].map((name) => api.call("POST", CONFIGMAPS, configMap(name))));
  const [one = "", two = ""] = [first?.body.metadata.uid, second?.body.metadata.uid];
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: one };
  const metadata = { name: "a", finalizers: ["x.dev/a"], ownerReferences: [owner] };
  await api.call("POST", CONFIGMAPS, { ...configMap("a", { k: "v", gone: "x" }), metadata });
  const patch = {
    metadata: {
      finalizers: ["x.dev/b"],
      ownerReferences: [
        { uid: one, controller: true },
        { ...owner, name: "p", uid: two },
      ],
      labels: { l: "1" },
    },
    data: { gone: null, added: "1" },
  };
  const { body } = await api.call("PATCH", `${CONFIGMAPS}/a`, patch, STRATEGIC);
  expect(body.metadata.finalizers).toEqual(["x.dev/b", "x.dev/a"]);
  expect(body.metadata.ownerReferences).toEqual([
    { ...owner, controller: true },
    { ...owner, name: "p", uid: two },
  ]);
  expect(body.data).toEqual({ k: "v", added: "1" });
  const remove = {
    metadata: {
      "$deleteFromPrimitiveList/finalizers": ["x.dev/a"],
      "$setElementOrder/ownerReferences": [{ uid: two }],
      ownerReferences: [{ uid: one, $patch: "delete" }],
    },
    data: { $patch: "replace", only: "1" },
  };
  const after = await api.call("PATCH", `${CONFIGMAPS}/a`, remove, STRATEGIC);
  expect(after.body.metadata.finalizers).toEqual(["x.dev/b"]);
  expect(after.body.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([two]);
  expect(after.body.data).toEqual({ only: "1" });
});
