import { crdOf } from "@levelset/core";
import { expect, test } from "vitest";
import { Api, CRDS, Simple, SIMPLES, simple } from "./api.fixture.ts";
import type { Seen } from "./api.fixture.ts";

const crd = crdOf(Simple);
const NAME = crd.metadata.name;
const SECOND = SIMPLES.replace("/v1/", "/v2/");

function version(name: string, storage: boolean, fields: object, more: object = {}): object {
  const spec = { type: "object", properties: fields };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return { name, served: true, storage, schema, ...more };
}

async function apiWith(versions: readonly object[], more: object = {}): Promise<Api> {
  const api = new Api();
  await api.call("POST", CRDS, { ...crd, spec: { ...crd.spec, versions, ...more } });
  return api;
}

const text = { type: "string" };
const second = (name: string, spec: object): object => ({
  ...simple(name, spec),
  apiVersion: "examples.levelset.dev/v2",
});

test("an object shows what two versions share, with the defaults of the one it is stored in", async () => {
  const first = { a: text, one: { type: "string", default: "1" } };
  const other = { a: text, two: { type: "string", default: "2" } };
  const api = await apiWith([version("v1", true, first), version("v2", false, other)]);
  expect((await api.simple("x", { a: "v" })).spec).toEqual({ a: "v", one: "1" });
  expect((await api.get(`${SECOND}/x`)).body.spec).toEqual({ a: "v" });
  const { body } = await api.call("POST", SECOND, second("y", { a: "w", two: "lost" }));
  expect([body.apiVersion, body.spec]).toEqual(["examples.levelset.dev/v2", { a: "w" }]);
  expect((await api.get(`${SIMPLES}/y`)).body.spec).toEqual({ a: "w", one: "1" });
});

test("a deprecated version warns with every answer", async () => {
  const api = await apiWith([version("v1", true, { a: text }, { deprecated: true })]);
  const listed = await api.get(SIMPLES);
  expect(listed.headers.get("warning")).toBe('299 - "examples.levelset.dev/v1 Simple is deprecated"');
  const own = await apiWith([version("v1", true, {}, { deprecated: true, deprecationWarning: "use v2" })]);
  const made = await own.call("POST", SIMPLES, simple("x", { unknown: 1 }));
  expect(made.headers.get("warning")).toBe('299 - "use v2", 299 - "unknown field \\"spec.unknown\\""');
});

test("what only a webhook could convert is 406; the stored version works", async () => {
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

test("names go to the declaration that wants them once their holder is gone", async () => {
  const api = await apiWith(crd.spec.versions);
  const names = { kind: "Simple", plural: "rivals", singular: "rival", listKind: "RivalList" };
  const rival = { ...crd, metadata: { name: "rivals.examples.levelset.dev" }, spec: { ...crd.spec, names } };
  const { body } = await api.call("POST", CRDS, rival);
  expect(conditionsOf(body)).toEqual([
    ["NamesAccepted", "False", "KindConflict"],
    ["Established", "False", "NotAccepted"],
  ]);
  await api.call("DELETE", `${CRDS}/${NAME}`);
  await api.merge(`${CRDS}/${NAME}`, { metadata: { finalizers: null } });
  const accepted = await api.get(`${CRDS}/rivals.examples.levelset.dev`);
  expect(conditionsOf(accepted.body)).toEqual([
    ["NamesAccepted", "True", "NoConflicts"],
    ["Established", "True", "InitialNamesAccepted"],
  ]);
  expect((await api.get(SIMPLES.replace("simples", "rivals"))).code).toBe(200);
});

function conditionsOf(body: Seen): readonly unknown[] {
  const { conditions } = body.status as unknown as { readonly conditions: readonly Record<string, string>[] };
  return conditions.map(({ type, status, reason }) => [type, status, reason]);
}

test("an object that a stricter declaration would refuse may change elsewhere", async () => {
  const api = await apiWith([version("v1", true, { a: text, b: text })]);
  await api.simple("x", { a: "long", b: "old" });
  const short = { type: "string", maxLength: 2 };
  await api.merge(`${CRDS}/${NAME}`, { spec: { versions: [version("v1", true, { a: short, b: text })] } });
  expect((await api.merge(`${SIMPLES}/x`, { spec: { b: "new" } })).code).toBe(200);
  const refused = await api.merge(`${SIMPLES}/x`, { spec: { a: "longer" } });
  expect([refused.code, refused.body.details?.causes?.[0]?.field]).toEqual([422, "spec.a"]);
});

test("a field that the declaration no longer has goes with the next write, however often its object was written before", async () => {
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

test("a writer of one field is told of unknown ones that it sent, and the rest of the object stays as it is", async () => {
  const api = await apiWith([version("v1", true, { a: text, b: { type: "object", properties: { c: text } } })]);
  await api.simple("x", { a: "1", b: { c: "2" } });
  for (const value of ["3", "4"]) {
    const answer = await api.merge(`${SIMPLES}/x?fieldValidation=Warn`, { spec: { a: value, lost: 1 } });
    expect(answer.headers.get("warning")).toBe('299 - "unknown field \\"spec.lost\\""');
    expect(answer.body.spec).toEqual({ a: value, b: { c: "2" } });
  }
});
