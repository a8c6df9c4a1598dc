import type { JsonObject } from "@levelset/core";
import type { Route } from "../route.ts";
import { PROBLEM } from "../shapes.ts";
import { operationJson, PROBLEM_STATUSES, problemName } from "./operation.ts";
import { SchemaCatalog } from "./schema-catalog.ts";

/** What a document says besides the routes. */
export interface DocumentOptions {
  readonly version: string;
  /** Whether tokens are asked for. */
  readonly hasTokens: boolean;
}

/** The routes as a document of OpenAPI 3.1, made from the same table that is served and the same schemas that validate. */
export function openApiDocument(routes: readonly Route[], { version, hasTokens }: DocumentOptions): JsonObject {
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
        "Resources of a fleet, what adapters report on them, and whether the latest declaration has been reached.",
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

/** The kinds, for clients that show resources of any of them. */
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
  const content = { "application/problem+json": { schema: catalog.refer(PROBLEM) } };
  const responses = PROBLEM_STATUSES.entries().map(([status, description]): [string, JsonObject] => {
    return [problemName(status), { description, content, ...headersOf(status) }];
  });
  return Object.fromEntries(responses);
}

function headersOf(status: number): JsonObject {
  const header = (name: string, description: string): JsonObject => ({
    headers: { [name]: { description, schema: { type: "string" } } },
  });
  if (status === 429 || status === 503) return header("Retry-After", "In how many seconds to try again.");
  if (status === 401) return header("WWW-Authenticate", "How to say who you are.");
  return status === 405 ? header("Allow", "The methods that are allowed.") : {};
}
