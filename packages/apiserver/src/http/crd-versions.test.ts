import { crdOf } from "@levelset/core";
import { expect, test } from "vitest";
import { ApiHarness, CRDS, Simple, SIMPLES, simple } from "./api.fixture.ts";
import type { TestObject } from "./api.fixture.ts";

const crd = crdOf(Simple);
const NAME = crd.metadata.name;
const SECOND = SIMPLES.replace("/v1/", "/v2/");

function version(name: string, storage: boolean, fields: object, more: object = {}): object {
  const spec = { type: "object", properties: fields };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return { name, served: true, storage, schema, ...more };
}

async function apiWith(versions: readonly object[], more: object = {}): Promise<ApiHarness> {
  const api = new ApiHarness();
  await api.call("POST", CRDS, { ...crd, spec: { ...crd.spec, versions, ...more } });
  return api;
}

const text = { type: "string" };
const second = (name: string, spec: object): object => ({
  ...simple(name, spec),
  apiVersion: "examples.levelset.dev/v2",
});

test("an object shows the fields shared by both versions, with the defaults of its storage version", async () => {
  const first = { a: text, one: { type: "string", default: "1" } };
  const other = { a: text, two: { type: "string", default: "2" } };
  const api = await apiWith([version("v1", true, first), version("v2", false, other)]);
  expect((await api.simple("x", { a: "v" })).spec).toEqual({ a: "v", one: "1" });
  expect((await api.get(`${SECOND}/x`)).body.spec).toEqual({ a: "v" });
  const { body } = await api.call("POST", SECOND, second("y", { a: "w", two: "lost" }));
  expect([body.apiVersion, body.spec]).toEqual(["examples.levelset.dev/v2", { a: "w" }]);
  expect((await api.get(`${SIMPLES}/y`)).body.spec).toEqual({ a: "w", one: "1" });
});

test("a deprecated version returns a warning with every response", async () => {
  const api = await apiWith([version("v1", true, { a: text }, { deprecated: true })]);
  const listed = await api.get(SIMPLES);
  expect(listed.headers.get("warning")).toBe('299 - "examples.levelset.dev/v1 Simple is deprecated"');
  const own = await apiWith([version("v1", true, {}, { deprecated: true, deprecationWarning: "use v2" })]);
  const made = await own.call("POST", SIMPLES, simple("x", { unknown: 1 }));
  expect(made.headers.get("warning")).toBe('299 - "use v2", 299 - "unknown field \\"spec.unknown\\""');
});

test("objects that need a conversion webhook return 406; the storage version works", async () => {
  const webhook = { clientConfig: { url: "https://a.example.com" }, conversionReviewVersions: ["v1"] };
  const conversion = { strategy: "Webhook", webhook };
  const api = await apiWith([version("v1", true, {}), version("v2", false, {})], { conversion });
  await api.simple("x");
  expect((await api.get(`${SIMPLES}/x`)).code).toBe(200);
  const refused = await api.get(`${SECOND}/x`);
  expect([refused.code, refused.body.message]).toEqual([
    406,
    "conversion webhook for examples.levelset.dev/v2, Kind=Simple failed: this server does not call conversion webhooks; use " +
      "the storage version of the kind",
  ]);
  expect((await api.call("POST", SECOND, second("y", {}))).code).toBe(406);
});

test("names are accepted for a waiting CRD once the CRD that holds them is deleted", async () => {
  const api = await apiWith(crd.spec.versions);
  const names = { kind: "Simple", plural: "others", singular: "other", listKind: "OtherList" };
  const conflicting = { ...crd, metadata: { name: "others.examples.levelset.dev" }, spec: { ...crd.spec, names } };
  const { body } = await api.call("POST", CRDS, conflicting);
  expect(conditionsOf(body)).toEqual([
    ["NamesAccepted", "False", "KindConflict"],
    ["Established", "False", "NotAccepted"],
  ]);
  await api.call("DELETE", `${CRDS}/${NAME}`);
  await api.merge(`${CRDS}/${NAME}`, { metadata: { finalizers: null } });
  const accepted = await api.get(`${CRDS}/others.examples.levelset.dev`);
  expect(conditionsOf(accepted.body)).toEqual([
    ["NamesAccepted", "True", "NoConflicts"],
    ["Established", "True", "InitialNamesAccepted"],
  ]);
  expect((await api.get(SIMPLES.replace("simples", "others"))).code).toBe(200);
});

function conditionsOf(body: TestObject): readonly unknown[] {
  const { conditions } = body.status as unknown as { readonly conditions: readonly Record<string, string>[] };
  return conditions.map(({ type, status, reason }) => [type, status, reason]);
}

test("an object that violates a stricter schema may change in other fields", async () => {
  const api = await apiWith([version("v1", true, { a: text, b: text })]);
  await api.simple("x", { a: "long", b: "old" });
  const short = { type: "string", maxLength: 2 };
  await api.merge(`${CRDS}/${NAME}`, { spec: { versions: [version("v1", true, { a: short, b: text })] } });
  expect((await api.merge(`${SIMPLES}/x`, { spec: { b: "new" } })).code).toBe(200);
  const refused = await api.merge(`${SIMPLES}/x`, { spec: { a: "longer" } });
  expect([refused.code, refused.body.details?.causes?.[0]?.field]).toEqual([422, "spec.a"]);
});

test("a field removed from the schema is pruned by the next write, however often the object was written before", async () => {
  const api = await apiWith([version("v1", true, { a: text, b: text })]);
  await api.simple("x", { a: "1", b: "2" });
  for (const label of ["one", "two"]) {
    const { body } = await api.merge(`${SIMPLES}/x`, { metadata: { labels: { label } } });
    expect(body.spec).toEqual({ a: "1", b: "2" });
  }
  const changed = { spec: { versions: [version("v1", true, { a: text })] } };
  expect((await api.merge(`${CRDS}/${NAME}`, changed)).code).toBe(200);
  const { body } = await api.merge(`${SIMPLES}/x`, { metadata: { labels: { label: "three" } } });
  expect(body.spec).toEqual({ a: "1" });
});

test("a patch returns warnings for the unknown fields it sent, and the rest of the object stays unchanged", async () => {
  const api = await apiWith([version("v1", true, { a: text, b: { type: "object", properties: { c: text } } })]);
  await api.simple("x", { a: "1", b: { c: "2" } });
  for (const value of ["3", "4"]) {
    const response = await api.merge(`${SIMPLES}/x?fieldValidation=Warn`, { spec: { a: value, lost: 1 } });
    expect(response.headers.get("warning")).toBe('299 - "unknown field \\"spec.lost\\""');
    expect(response.body.spec).toEqual({ a: value, b: { c: "2" } });
  }
});
