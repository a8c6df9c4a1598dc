import { expect, test } from "vitest";
import { ApiHarness, apiWithSimple } from "../api.fixture.ts";
import { compareVersions } from "./discovery.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

async function tagged(api: ApiHarness, path: string, accept: string, etag?: string): Promise<Response> {
  const headers = { accept, ...(etag === undefined ? {} : { "if-none-match": etag }) };
  return api.fetch(new Request(`http://localhost${path}`, { headers }));
}

test.each([
  ["/apis", AGGREGATED],
  ["/openapi/v2", "application/json"],
  ["/openapi/v3/apis/apps/v1", "application/json"],
])("%s returns 304 for a matching ETag", async (path, accept) => {
  const api = await apiWithSimple();
  const first = await tagged(api, path, accept);
  const etag = first.headers.get("etag") ?? "";
  expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[0-9A-F]{64}"$/u)]);
  const again = await tagged(api, path, accept, etag);
  expect([again.status, await again.text()]).toEqual([304, ""]);
  expect((await tagged(api, path, accept, '"other"')).status).toBe(200);
});

test("a new kind changes only the documents it is in", async () => {
  const api = new ApiHarness();
  const index = async (): Promise<Readonly<Record<string, { readonly serverRelativeURL: string }>>> =>
    (await api.get("/openapi/v3")).body["paths"] as Readonly<Record<string, { readonly serverRelativeURL: string }>>;
  const before = await index();
  const aggregated = (await tagged(api, "/apis", AGGREGATED)).headers.get("etag");
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };
  expect((await api.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd)).body).toMatchObject({
    kind: crd.kind,
  });
  const after = await index();
  expect(Object.keys(after)).toEqual([...Object.keys(before), "apis/example.com/v1"]);
  expect(after["apis/apps/v1"]).toEqual(before["apis/apps/v1"]);
  expect((await tagged(api, "/apis", AGGREGATED)).headers.get("etag")).not.toBe(aggregated);
});

test("an outdated URL of a document redirects to the current one", async () => {
  const api = new ApiHarness();
  const response = await tagged(api, "/openapi/v3/api/v1?hash=OLD", "*/*");
  expect(response.status).toBe(301);
  const found = await tagged(api, response.headers.get("location") ?? "", "*/*");
  expect([found.status, found.headers.get("cache-control")]).toEqual([200, "public, immutable"]);
});

test("the root lists the served paths", async () => {
  const { body } = await (await apiWithSimple()).get("/");
  expect(body["paths"]).toEqual(expect.arrayContaining(["/api/v1", "/apis/apps/v1", "/apis/examples.levelset.dev/v1"]));
});

test("versions are ordered by stability, then number", () => {
  const versions = ["foo1", "v1", "v3alpha1", "v10", "v11beta2", "v2", "v11alpha2", "v12alpha1", "foo10"];
  expect(versions.toSorted(compareVersions)).toEqual([
    "v10",
    "v2",
    "v1",
    "v11beta2",
    "v12alpha1",
    "v11alpha2",
    "v3alpha1",
    "foo1",
    "foo10",
  ]);
});

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly [key: string]: unknown;
}

test("types have the names that clients know, and every reference resolves", async () => {
  const api = new ApiHarness();
  const { body } = await api.get("/openapi/v3/apis/apps/v1");
  const { schemas } = body["components"] as { readonly schemas: Readonly<Record<string, Schema>> };
  const spec = schemas["io.k8s.api.apps.v1.Deployment"]?.properties?.["spec"];
  expect(spec).toMatchObject({ allOf: [{ $ref: "#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec" }] });
  const references = JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/gu);
  const dangling = [...references].map((match) => match[1] ?? "").filter((name) => !Object.hasOwn(schemas, name));
  expect(dangling).toEqual([]);
});

test("the CustomResourceDefinition schema refers to itself", async () => {
  const { body } = await new ApiHarness().get("/openapi/v3/apis/apiextensions.k8s.io/v1");
  const { schemas } = body["components"] as { readonly schemas: Readonly<Record<string, Schema>> };
  const name = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
  expect(schemas[name]?.properties?.["not"]).toMatchObject({ allOf: [{ $ref: `#/components/schemas/${name}` }] });
});
