import { isJsonObject, realClock, realRandom, silentLogger } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_ENTITIES, readKinds } from "../../resource/index.ts";
import { openStore } from "../../store/index.ts";
import { createFleetApi } from "../create-fleet-api.ts";
import type { FleetApi } from "../fleet-api.ts";
import { jsonSchema } from "./json-schema.ts";
import { openApiProblems, operationsIn } from "./open-api-rules.fixture.ts";

const BASE = "/api/hyperfleet/v1";
const SCHEMAS = {
  ClusterSpec: {
    type: "object",
    required: ["region"],
    properties: {
      region: { type: "string", nullable: true, example: "us-east1" },
      size: { type: "integer", minimum: 0, exclusiveMinimum: true },
      network: { $ref: "#/components/schemas/Resource" },
    },
    additionalProperties: false,
  },
  // Collides with a schema name of the API.
  Resource: { type: "object", properties: { "<b>cidr</b>": { type: "string" } } },
  Unused: { type: "string" },
};

let api: FleetApi;
let document: JsonObject;

async function get(path: string): Promise<Response> {
  return api.fetch(new Request(`http://fleet.invalid${path}`));
}

beforeAll(async () => {
  const world = { clock: realClock, random: realRandom, logger: silentLogger };
  const store = await openStore({ kind: "sqlite", path: ":memory:" }, world);
  const references = [{ ref_type: "channel", target_kind: "Channel", min: 1, max: 2 }];
  const entities = DEFAULT_ENTITIES.map((entity) =>
    entity["kind"] === "Cluster" ? { ...entity, references } : entity,
  );
  const kinds = readKinds(entities, SCHEMAS);
  const jwt = {
    issuers: [{ issuerUrl: "https://issuer.example", keys: { kind: "file", path: "keys.json" } }],
  } as const;
  api = createFleetApi({ ...world, store, kinds, version: "1.2.3", port: 0, auth: { jwt } });
  document = (await (await get(`${BASE}/openapi`)).json()) as JsonObject;
  return () => store.close();
});

function at(...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((found, name) => (isJsonObject(found) ? found[name] : undefined), document);
}

describe("the document", () => {
  test("follows the OpenAPI 3.1 rules, and every reference resolves", () => {
    expect(openApiProblems(document)).toEqual([]);
  });

  test("the rules detect violations", () => {
    const broken = structuredClone({
      ...document,
      paths: {
        "/a/{id}": { get: { operationId: "a", responses: { "200": { $ref: "#/components/responses/None" }, ok: {} } } },
        "/b": { get: { operationId: "a", parameters: [{ name: "x", in: "cookie" }], responses: {} } },
      },
      components: { schemas: { A: { type: "text", nullable: true, exclusiveMinimum: true } } },
    });
    expect(openApiProblems(broken)).toEqual([
      "document.paths./a/{id}.get.responses.200: #/components/responses/None does not resolve",
      "document.paths./a/{id}.get.responses: ok is not a valid name",
      "document.paths./a/{id}.get.responses.ok: description is missing",
      "document.paths./b.get.parameters[0]: schema is missing",
      "document.paths./b.get.parameters[0].in: is not a parameter location",
      "document.components.schemas.A.type: is not a type",
      "document.components.schemas.A: nullable is not a known field",
      "document.components.schemas.A.exclusiveMinimum: must be a number",
      "duplicate operationId",
      "get /a/{id}: the parameters do not match the path",
    ]);
  });

  test("contains exactly the served routes", () => {
    const documented = operationsIn(document).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    const served = api.routes.map(({ method, path }) => `${method} ${path}`);
    expect(documented.toSorted()).toEqual(served.toSorted());
    expect(documented).toContain(`GET ${BASE}/openapi`);
  });

  test("lists the failures of every operation", () => {
    for (const { operation } of operationsIn(document)) {
      const statuses = Object.keys(operation["responses"] as object);
      expect(statuses).toEqual(expect.arrayContaining(["400", "500", "503"]));
      expect(statuses.includes("401")).toBe((operation["security"] as readonly unknown[]).length > 0);
    }
    const problem = at(
      "components",
      "responses",
      "Problem429",
      "content",
      "application/problem+json",
      "schema",
      "$ref",
    );
    expect(problem).toBe("#/components/schemas/Problem");
  });

  test("uses the validating schemas for the specs of the kinds", () => {
    const ref = { $ref: "#/components/schemas/ClusterSpec" };
    expect(at("components", "schemas", "ClusterCreate", "properties", "spec")).toEqual(ref);
    expect(at("components", "schemas", "ClusterPatch", "properties", "spec")).toEqual({
      anyOf: [ref, { type: "null" }],
    });
    expect(at("components", "schemas", "ClusterSpec")).toEqual({
      type: "object",
      required: ["region"],
      properties: {
        region: { type: ["string", "null"], examples: ["us-east1"] },
        size: { type: "integer", exclusiveMinimum: 0 },
        network: { $ref: "#/components/schemas/SpecResource" },
      },
      additionalProperties: false,
    });
    expect(at("components", "schemas", "SpecResource", "type")).toBe("object");
    expect(at("components", "schemas", "Unused")).toBeUndefined();
    expect(at("components", "schemas", "ResourcePatch", "additionalProperties")).toBe(false);
  });

  test("contains exactly the references of the kinds", () => {
    const references = at("components", "schemas", "ClusterCreate", "properties", "references");
    expect(references).toMatchObject({
      type: ["object", "null"],
      required: ["channel"],
      properties: { channel: { type: "array", minItems: 1, maxItems: 2 } },
      additionalProperties: false,
    });
    expect(at("components", "schemas", "ChannelCreate", "properties", "references", "properties")).toEqual({});
  });

  test("is available without a token", async () => {
    const response = await get(`${BASE}/openapi`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect((await get(`${BASE}/clusters`)).status).toBe(401);
  });
});

test("the page shows every operation and schema, without scripts or external resources", async () => {
  const response = await get(`${BASE}/openapi.html`);
  const page = await response.text();
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  for (const { operation } of operationsIn(document))
    expect(page).toContain(`<details id=${JSON.stringify(operation["operationId"])}`);
  for (const name of Object.keys(at("components", "schemas") as object)) expect(page).toContain(`id="schema-${name}"`);
  expect(page).not.toMatch(/<script|<link|<img|\bsrc=|https?:/);
  expect(page).toContain("&lt;b&gt;cidr&lt;/b&gt;");
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id = ""]) => id);
  expect(targets.filter((id) => !page.includes(`id="${id}"`))).toEqual([]);
});

test.for([
  [{ type: "string", nullable: true }, { type: ["string", "null"] }],
  [
    { $ref: "#/components/schemas/A", nullable: true },
    { anyOf: [{ $ref: "#/components/schemas/A" }, { type: "null" }] },
  ],
  [{ minimum: 1, exclusiveMinimum: false }, { minimum: 1 }],
  [{ maximum: 9, exclusiveMaximum: true }, { exclusiveMaximum: 9 }],
  [{ exclusiveMinimum: 3 }, { exclusiveMinimum: 3 }],
  [{ "x-kubernetes-int-or-string": true }, { type: ["integer", "string"] }],
  [{ properties: { nullable: { example: 1 } } }, { properties: { nullable: { examples: [1] } } }],
  [{ items: { anyOf: [{ nullable: true, type: "object" }] } }, { items: { anyOf: [{ type: ["object", "null"] }] } }],
] as const satisfies readonly (readonly [JsonObject, JsonObject])[])("%o becomes %o", ([old, modern]) => {
  expect(jsonSchema(old)).toEqual(modern);
  expect(jsonSchema(modern)).toEqual(modern);
});
