import { crdOf } from "@levelset/core";
import type { CrdFields } from "@levelset/core/internal";
import { expect, test } from "vitest";
import { ApiHarness, apiWithSimple, CRDS, Simple, SIMPLES } from "./api.fixture.ts";

const NAME = "simples.examples.levelset.dev";
const crd = crdOf(Simple);
const [version] = crd.spec.versions;

test("a CRD is accepted, established and served when its creation returns", async () => {
  const api = new ApiHarness();
  expect((await api.get(SIMPLES)).code).toBe(404);
  const { body } = await api.call("POST", CRDS, crd);
  const { status } = body as unknown as CrdFields;
  expect(status?.conditions?.map(({ type, status: value, reason }) => [type, value, reason])).toEqual([
    ["NamesAccepted", "True", "NoConflicts"],
    ["Established", "True", "InitialNamesAccepted"],
  ]);
  expect(status?.acceptedNames).toMatchObject({ plural: "simples", kind: "Simple", listKind: "SimpleList" });
  expect(status?.storedVersions).toEqual(["v1"]);
  expect((await api.get(SIMPLES)).code).toBe(200);
});

test.each([
  ["another name", { ...crd, metadata: { name: "x.y" } }, "metadata.name"],
  ["no versions", { ...crd, spec: { ...crd.spec, versions: [] } }, "spec.versions"],
  [
    "no schema",
    { ...crd, spec: { ...crd.spec, versions: [{ name: "v1", served: true, storage: true }] } },
    "spec.versions[0].schema.openAPIV3Schema",
  ],
  [
    "two storage versions",
    { ...crd, spec: { ...crd.spec, versions: [version, { ...version, name: "v2" }] } },
    "spec.versions",
  ],
  ["an unknown scope", { ...crd, spec: { ...crd.spec, scope: "World" } }, "spec.scope"],
  ["no spec", { ...crd, spec: undefined }, "spec.group"],
  ["a bad kind", { ...crd, spec: { ...crd.spec, names: { ...crd.spec.names, kind: "no spaces" } } }, "spec.names.kind"],
  [
    "an untyped field",
    withSchema({ type: "object", properties: { spec: {} } }),
    "spec.validation.openAPIV3Schema.properties[spec].type",
  ],
  ["a root that is not an object", withSchema({ type: "string" }), "spec.validation.openAPIV3Schema.type"],
  [
    "a list without items",
    withSchema({ type: "object", properties: { a: { type: "array" } } }),
    "spec.validation.openAPIV3Schema.properties[a].items",
  ],
  ["a column path without a dot", withColumn("spec"), "spec.additionalPrinterColumns[0].JSONPath"],
  [
    "a conversion webhook that cannot be reached",
    { ...crd, spec: { ...crd.spec, conversion: { strategy: "Webhook" } } },
    "spec.conversion.webhookClientConfig",
  ],
])("a CRD with %s returns 422 with the field", async (_what, body, field) => {
  const api = new ApiHarness();
  const response = await api.call("POST", CRDS, body);
  expect(response.code).toBe(422);
  expect(response.body.details?.causes?.map((cause) => cause.field)).toContain(field);
});

function withColumn(jsonPath: string): unknown {
  const additionalPrinterColumns = [{ name: "X", type: "string", jsonPath }];
  return { ...crd, spec: { ...crd.spec, versions: [{ ...version, additionalPrinterColumns }] } };
}

function withSchema(openAPIV3Schema: unknown): unknown {
  return { ...crd, spec: { ...crd.spec, versions: [{ ...version, schema: { openAPIV3Schema } }] } };
}

test("names already used in the group are not accepted, and the CRD is not served", async () => {
  const api = await apiWithSimple();
  const names = { kind: "Other", plural: "others", shortNames: ["si"] };
  const conflicting = { ...crd, metadata: { name: "others.examples.levelset.dev" }, spec: { ...crd.spec, names } };
  const { body } = await api.call("POST", CRDS, conflicting);
  const { status } = body as unknown as CrdFields;
  expect(status?.conditions?.map(({ type, status: value }) => [type, value])).toEqual([
    ["NamesAccepted", "False"],
    ["Established", "False"],
  ]);
  expect((await api.get(SIMPLES.replace("simples", "others"))).code).toBe(404);
});

test("a second version shows the same objects, and writes use the storage version", async () => {
  const api = await apiWithSimple();
  const { metadata } = await api.simple("a", { replicas: 4 });
  const versions = [
    { ...version, storage: false },
    { ...version, name: "v2", storage: true },
  ];
  const patched = await api.merge(`${CRDS}/${NAME}`, { spec: { versions } });
  expect((patched.body as unknown as CrdFields).status?.storedVersions).toEqual(["v1", "v2"]);
  expect(patched.body.metadata.generation).toBe(2);
  const second = await api.get(`${SIMPLES.replace("/v1/", "/v2/")}/a`);
  expect(second.body).toMatchObject({ apiVersion: "examples.levelset.dev/v2", spec: { replicas: 4 } });
  expect(second.body.metadata).toEqual(metadata);
  const written = await api.merge(`${SIMPLES}/a`, { spec: { replicas: 5 } });
  expect(written.body).toMatchObject({ apiVersion: "examples.levelset.dev/v1", metadata: { generation: 2 } });
});

test("defaults added by a CRD update are visible on old objects", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  const spec = {
    type: "object",
    properties: { replicas: { type: "integer" }, extra: { type: "string", default: "new" } },
  };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  await api.merge(`${CRDS}/${NAME}`, { spec: { versions: [{ ...version, schema }] } });
  const { body } = await api.get(`${SIMPLES}/a`);
  expect(body.spec).toEqual({ replicas: 1, extra: "new" });
  expect((await api.get(SIMPLES)).body.items?.[0]?.spec).toEqual({ replicas: 1, extra: "new" });
});

test("deleting a CRD deletes its objects, and watches report it", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  const watching = await api.watch(`${SIMPLES}?watch=true`);
  await api.call("DELETE", `${CRDS}/${NAME}`);
  expect((await watching.take(2)).map(({ type }) => type)).toEqual(["ADDED", "DELETED"]);
  expect((await api.get(`${CRDS}/${NAME}`)).code).toBe(404);
  expect((await api.get(SIMPLES)).code).toBe(404);
  await api.call("POST", CRDS, crd);
  expect((await api.get(SIMPLES)).body.items).toEqual([]);
});

test("a terminating CRD waits for finalizers of its objects and rejects new objects", async () => {
  const api = await apiWithSimple();
  await api.simple("a", {}, { finalizers: ["x.dev/y"] });
  const { body } = await api.call("DELETE", `${CRDS}/${NAME}`);
  expect(body.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
  expect(await api.simple("b")).toMatchObject({
    code: 403,
    message: expect.stringContaining("create not allowed while custom resource definition is terminating"),
  });
  await api.merge(`${SIMPLES}/a`, { metadata: { finalizers: null } });
  expect((await api.get(`${CRDS}/${NAME}`)).code).toBe(404);
});

test("scope and kind of a CRD are immutable, and stored versions must stay", async () => {
  const api = await apiWithSimple();
  const scope = await api.merge(`${CRDS}/${NAME}`, { spec: { scope: "Cluster" } });
  expect(scope.body.message).toContain('spec.scope: Invalid value: "Cluster": field is immutable');
  const gone = await api.merge(`${CRDS}/${NAME}`, { spec: { versions: [{ ...version, name: "v2" }] } });
  expect(gone.body.message).toContain("v1 was previously a storage version");
});

test("printer columns are formatted by type, and empty if the object has no value", async () => {
  const api = new ApiHarness();
  const column = (name: string, type: string): object => ({ name, type, jsonPath: `.spec.${name}` });
  const additionalPrinterColumns = [
    column("text", "string"),
    column("whole", "integer"),
    column("real", "number"),
    column("flag", "boolean"),
    column("since", "date"),
    column("list", "string"),
    column("wrong", "integer"),
  ];
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const versions = [{ ...version, schema, additionalPrinterColumns }];
  await api.call("POST", CRDS, { ...crd, spec: { ...crd.spec, versions } });
  const since = "2025-12-31T23:59:00Z";
  await api.simple("a", { text: "t", whole: 7, real: 1.5, flag: true, since, list: ["x"], wrong: "no" });
  await api.simple("b", {});
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const { body } = await api.call("GET", SIMPLES, undefined, { accept });
  expect(body["rows"]).toMatchObject([
    { cells: ["a", "t", 7, 1.5, true, "60s", '["x"]', null] },
    { cells: ["b", null, null, null, null, null, null, null] },
  ]);
});

test("an embedded object keeps its metadata although the schema declares only a part; unknown fields are pruned", async () => {
  const embedded = {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 3 } } } },
  };
  const spec = { type: "object", properties: { t: embedded } };
  const api = new ApiHarness();
  await api.call("POST", CRDS, withSchema({ type: "object", properties: { spec } }));
  const write = (name: string, metadata: object, query = ""): ReturnType<ApiHarness["call"]> => {
    const t = { apiVersion: "v1", kind: "ConfigMap", metadata };
    return api.call("POST", SIMPLES + query, {
      apiVersion: "examples.levelset.dev/v1",
      kind: "Simple",
      metadata: { name },
      spec: { t },
    });
  };
  const metadata = { name: "x", namespace: "n", labels: { a: "b" }, annotations: { c: "d" } };
  const created = await write("a", { ...metadata, owner: 1 });
  expect([created.code, created.body.spec]).toMatchObject([201, { t: { metadata } }]);
  expect(created.body.spec?.["t"]).not.toHaveProperty("metadata.owner");
  const strict = await write("b", { ...metadata, owner: 1 }, "?fieldValidation=Strict");
  expect([strict.code, strict.body.message]).toEqual([
    400,
    expect.stringContaining('unknown field "spec.t.metadata.owner"'),
  ]);
  expect((await write("c", { name: "long" })).code).toBe(422);
});
