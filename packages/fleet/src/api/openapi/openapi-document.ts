import type { JsonObject } from "@levelset/core";
import type { Route } from "../route.ts";
import { PROBLEM_SCHEMA } from "../api-schemas.ts";
import { operationJson, PROBLEM_STATUSES, problemName } from "./operation.ts";
import { SchemaCatalog } from "./schema-catalog.ts";

/** Options of {@link openApiDocument}. */
export interface OpenApiDocumentOptions {
  readonly version: string;
  /** Whether tokens are required. */
  readonly hasTokens: boolean;
}

/** Returns the OpenAPI 3.1 document of the routes, derived from the served route table and the validating schemas. */
export function openApiDocument(routes: readonly Route[], { version, hasTokens }: OpenApiDocumentOptions): JsonObject {
  const catalog = new SchemaCatalog(routes);
  const paths = Map.groupBy(routes, ({ path }) => path)
    .entries()
    .map(([path, all]): [string, JsonObject] => {
      const operations = all.map((route): [string, JsonObject] => {
        return [route.method.toLowerCase(), operationJson(route, catalog, hasTokens)];
      });
      return [path, Object.fromEntries(operations)];
    });
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Fleet API",
      version,
      description:
        "Resources of a fleet, the reports of adapters on them, and whether the latest generation is reconciled.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    "x-levelset-kinds": kindsOf(routes),
    paths: Object.fromEntries(paths),
  };
  const responses = problemResponses(catalog);
  const token = { type: "http", scheme: "bearer", bearerFormat: "JWT" };
  const securitySchemes = hasTokens ? { securitySchemes: { token } } : {};
  return { ...document, components: { schemas: catalog.schemas, responses, ...securitySchemes } };
}

/** Returns the kinds, for generic clients. */
function kindsOf(routes: readonly Route[]): readonly JsonObject[] {
  const kinds = new Set(routes.flatMap(({ kind }) => (kind === undefined ? [] : [kind])));
  return [...kinds].map(({ kind, plural, parent, requiredAdapters }) => ({
    kind,
    plural,
    ...(parent === undefined ? {} : { parent_kind: parent.kind }),
    required_adapters: requiredAdapters,
  }));
}

function problemResponses(catalog: SchemaCatalog): JsonObject {
  const content = { "application/problem+json": { schema: catalog.ref(PROBLEM_SCHEMA) } };
  const responses = PROBLEM_STATUSES.entries().map(([status, description]): [string, JsonObject] => {
    return [problemName(status), { description, content, ...headersOf(status) }];
  });
  return Object.fromEntries(responses);
}

function headersOf(status: number): JsonObject {
  const header = (name: string, description: string): JsonObject => ({
    headers: { [name]: { description, schema: { type: "string" } } },
  });
  if (status === 429 || status === 503) return header("Retry-After", "Seconds to wait before a retry.");
  if (status === 401) return header("WWW-Authenticate", "The required authentication scheme.");
  return status === 405 ? header("Allow", "The allowed methods.") : {};
}
