import { expect, test } from "vitest";
import { ApiHarness, apiWithSimple, CONFIGMAPS, configMap, simple, SIMPLES } from "./api.fixture.ts";
import { humanDuration } from "../resource/printer/age.ts";
import { compareVersions } from "./discovery/discovery.ts";
import { parseApiRoute } from "./request/api-route.ts";

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

test("discovery lists the served resources with verbs, short names and subresources", async () => {
  const api = await apiWithSimple();
  expect((await api.get("/api")).body).toMatchObject({ kind: "APIVersions", versions: ["v1"] });
  const groups = (await api.get("/apis")).body["groups"] as readonly { readonly name: string }[];
  expect(groups.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["apps", "apiextensions.k8s.io", "examples.levelset.dev"]),
  );
  expect((await api.get("/apis/examples.levelset.dev")).body).toMatchObject({
    kind: "APIGroup",
    preferredVersion: { groupVersion: "examples.levelset.dev/v1", version: "v1" },
  });
  const { body } = await api.get("/apis/examples.levelset.dev/v1");
  expect(body["resources"]).toMatchObject([
    { name: "simples", singularName: "simple", namespaced: true, kind: "Simple", shortNames: ["si"] },
    { name: "simples/status", verbs: ["get", "patch", "update"] },
  ]);
});

test("aggregated discovery is returned only on request", async () => {
  const api = await apiWithSimple();
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
  const { body, headers } = await api.call("GET", "/apis", undefined, { accept });
  expect(body).toMatchObject({ kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2" });
  expect(headers.get("content-type")).toContain("as=APIGroupDiscoveryList");
  const old = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
  expect((await api.call("GET", "/apis", undefined, { accept: old })).body.kind).toBe("APIGroupList");
});

test("OpenAPI v3 lists a document per group and version, with the schemas of its kinds", async () => {
  const api = await apiWithSimple();
  const { body } = await api.get("/openapi/v3");
  const paths = body["paths"] as Readonly<Record<string, { readonly serverRelativeURL: string }>>;
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(["api/v1", "apis/apps/v1", "apis/examples.levelset.dev/v1"]),
  );
  const document = await api.get(paths["apis/examples.levelset.dev/v1"]?.serverRelativeURL ?? "");
  const text = JSON.stringify(document.body);
  expect(text).toContain('"name":"fieldValidation"');
  expect(text).toContain(
    '"x-kubernetes-group-version-kind":{"group":"examples.levelset.dev","kind":"Simple","version":"v1"}',
  );
  expect(document.body["components"]).toMatchObject({
    schemas: {
      "dev.levelset.examples.v1.Simple": {
        properties: { spec: { properties: { replicas: { description: "How many." } } } },
      },
    },
  });
});

test("a table has the declared columns, the age by the clock, and the metadata of each object", async () => {
  const api = await apiWithSimple();
  await api.simple("a", { replicas: 3 });
  await api.clock.advance(125_000);
  const { body } = await api.call("GET", SIMPLES, undefined, { accept: TABLE });
  expect(body).toMatchObject({ kind: "Table", apiVersion: "meta.k8s.io/v1" });
  const definitions = body["columnDefinitions"] as readonly { readonly name: string }[];
  expect(definitions.map(({ name }) => name)).toEqual(["Name", "Ready", "Replicas", "Message", "Age"]);
  expect(body["rows"]).toMatchObject([
    { cells: ["a", null, 3, null, "2m5s"], object: { kind: "PartialObjectMetadata", metadata: { name: "a" } } },
  ]);
  const none = await api.call("GET", `${SIMPLES}?includeObject=None`, undefined, { accept: TABLE });
  expect(none.body["rows"]).toEqual([{ cells: ["a", null, 3, null, "2m5s"], object: null }]);
});

test("tables of built-in kinds, of one object, and inside watch events", async () => {
  const api = new ApiHarness();
  await api.call("POST", CONFIGMAPS, configMap("a", { x: "1", y: "2" }));
  const one = await api.call("GET", `${CONFIGMAPS}/a`, undefined, { accept: TABLE });
  expect(one.body["rows"]).toMatchObject([{ cells: ["a", 2, "0s"] }]);
  const namespaces = await api.call("GET", "/api/v1/namespaces", undefined, { accept: TABLE });
  expect(namespaces.body["rows"]).toMatchObject([{ cells: ["default", "Active", "0s"] }, {}, {}, {}]);
  const watching = await api.watch(`${CONFIGMAPS}?watch=true`, { accept: TABLE });
  await api.call("POST", CONFIGMAPS, configMap("b"));
  const events = await watching.take(2);
  expect(events.map(({ type, object }) => [type, object.kind])).toEqual([
    ["ADDED", "Table"],
    ["ADDED", "Table"],
  ]);
  expect(events[1]?.object["rows"]).toMatchObject([{ cells: ["b", 0, "0s"] }]);
});

test("PartialObjectMetadata is an object without spec and status", async () => {
  const api = new ApiHarness();
  await api.call("POST", CONFIGMAPS, configMap("a", { x: "1" }));
  const accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
  const { body } = await api.call("GET", CONFIGMAPS, undefined, { accept });
  expect(body).toMatchObject({ kind: "PartialObjectMetadataList", items: [{ kind: "PartialObjectMetadata" }] });
  expect(body.items?.[0]?.data).toBeUndefined();
});

test("unsupported formats return 406 and 415", async () => {
  const api = new ApiHarness();
  expect((await api.call("GET", CONFIGMAPS, undefined, { accept: "application/xml" })).code).toBe(406);
  const html = await api.call("POST", CONFIGMAPS, "a: b", { type: "text/html" });
  expect([html.code, html.body.reason]).toEqual([415, "UnsupportedMediaType"]);
});

test("malformed and oversized bodies return 400 and 413", async () => {
  const api = new ApiHarness();
  expect((await api.call("POST", CONFIGMAPS, '{"a":')).code).toBe(400);
  expect((await api.call("POST", CONFIGMAPS, "[]")).code).toBe(400);
  const large = await api.call("POST", CONFIGMAPS, configMap("a", { x: "x".repeat(3 * 1024 * 1024) }));
  expect([large.code, large.body.reason]).toEqual([413, "RequestEntityTooLarge"]);
});

test("unknown paths return a Status below groups and plain text elsewhere", async () => {
  const api = new ApiHarness();
  const resource = await api.get("/api/v1/namespaces/default/nothings");
  expect([resource.code, resource.body.message]).toEqual([404, "the server could not find the requested resource"]);
  const page = await api.get("/nowhere");
  expect([page.code, page.body["text"]]).toEqual([404, "404 page not found\n"]);
  expect((await api.get("/apis/nowhere.dev")).code).toBe(404);
  expect((await api.get("/api/v1/namespaces/default/configmaps/a/b/c")).code).toBe(404);
});

test("unsupported verbs of a path return 405", async () => {
  const api = new ApiHarness();
  expect((await api.call("POST", "/api/v1/configmaps", configMap("a"))).code).toBe(405);
  expect((await api.call("PUT", CONFIGMAPS, configMap("a"))).code).toBe(405);
  expect((await api.call("POST", "/version", {})).code).toBe(405);
});

test("health and version endpoints respond", async () => {
  const api = new ApiHarness();
  for (const path of ["/healthz", "/livez", "/readyz"]) expect((await api.get(path)).body["text"]).toBe("ok");
  expect((await api.get("/version")).body).toMatchObject({ gitVersion: "v1.36.0+levelset", major: "1", minor: "36" });
});

test("an unexpected error returns a 500 without details, and is logged", async () => {
  const api = await apiWithSimple();
  api.store.create = () => Promise.reject(new TypeError("a mistake"));
  const { code, body } = await api.call("POST", SIMPLES, simple("a"));
  expect([code, body.reason, body.message]).toEqual([500, "InternalError", "Internal error occurred"]);
  expect(api.logs).toMatchObject([
    { level: "error", message: "request failed", fields: { method: "POST", path: SIMPLES } },
  ]);
});

test.each([
  [0, "0s"],
  [119_000, "119s"],
  [120_000, "2m"],
  [599_000, "9m59s"],
  [10_740_000, "179m"],
  [10_800_000, "3h"],
  [27_000_000, "7h30m"],
  [172_740_000, "47h"],
  [176_400_000, "2d1h"],
  [864_000_000, "10d"],
  [63_158_400_000, "2y1d"],
  [-5000, "<invalid>"],
])("an age of %i ms is shown as %s", (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});

test("versions are ordered as Kubernetes prefers them", () => {
  const versions = ["foo1", "v3alpha1", "v1", "v11beta2", "v10", "v2", "v3beta1"];
  expect(versions.toSorted(compareVersions)).toEqual(["v10", "v2", "v1", "v11beta2", "v3beta1", "v3alpha1", "foo1"]);
});

test.each([
  ["/api/v1/namespaces/n", { plural: "namespaces", namespace: "", name: "n" }],
  ["/api/v1/namespaces/n/status", { plural: "namespaces", name: "n", subresource: "status" }],
  ["/api/v1/namespaces/n/configmaps", { plural: "configmaps", namespace: "n" }],
  ["/apis/g.dev/v1/things/a%2Fb/status", { group: "g.dev", plural: "things", name: "a/b", subresource: "status" }],
  ["/apis/g.dev/v1/namespaces/n/things/a", { plural: "things", namespace: "n", name: "a" }],
])("the path %s is parsed", (path, route) => {
  expect(parseApiRoute(path)).toMatchObject(route);
});
