import type { JsonObject, JsonValue } from "@levelset/core";
import { PROBLEMS } from "../http-problem.ts";
import type { ResponseSchema, Route } from "../route.ts";
import type { SchemaCatalog } from "./schema-catalog.ts";

/** The problem statuses with the codes of each. */
export const PROBLEM_STATUSES: ReadonlyMap<number, string> = new Map([
  ...Map.groupBy(Object.entries(PROBLEMS), ([, { status }]) => status)
    .entries()
    .map(([status, kinds]): [number, string] => {
      return [status, kinds.map(([code, { title }]) => `HYPERFLEET-${code} ${title}`).join("; ")];
    }),
  [422, "HYPERFLEET-VAL-000 Not Possible at This Path"],
]);

/** Returns the name of the reusable response of a status. */
export function problemName(status: number): string {
  return `Problem${status}`;
}

/** Returns the OpenAPI operation of a route. */
export function operationJson(route: Route, catalog: SchemaCatalog, hasTokens: boolean): JsonObject {
  const { request, kind, parent, permission } = route;
  const parameters = parametersJson(route, catalog);
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [kind?.kind ?? (permission === "none" ? "API" : "Resource")],
    ...(parent === undefined ? {} : { "x-parent-kind": parent.kind }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined
      ? {}
      : { requestBody: { required: true, content: json(catalog.refRequest(request, kind)) } }),
    responses: responsesJson(route, catalog),
    security: hasTokens && permission !== "none" ? [{ token: [] }] : [],
  };
}

function parametersJson({ path, query = [], headers = [] }: Route, catalog: SchemaCatalog): readonly JsonObject[] {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  return [
    ...names.map((name) => ({ name, in: "path", required: true, schema: { type: "string", minLength: 1 } })),
    ...query.map(({ name, description, schema }) => ({
      name,
      in: "query",
      description,
      schema: catalog.inline(schema),
    })),
    ...headers.map(({ name, description }) => ({ name, in: "header", description, schema: { type: "string" } })),
  ];
}

function responsesJson(route: Route, catalog: SchemaCatalog): JsonObject {
  const successes = Map.groupBy(route.responses, ({ status }) => status)
    .entries()
    .map(([status, responses]): [string, JsonValue] => [String(status), responseJson(route, responses, catalog)]);
  const problems = problemStatuses(route).map((status): [string, JsonValue] => {
    return [String(status), { $ref: `#/components/responses/${problemName(status)}` }];
  });
  return { ...Object.fromEntries(successes), ...Object.fromEntries(problems) };
}

function responseJson(route: Route, responses: readonly ResponseSchema[], catalog: SchemaCatalog): JsonObject {
  const contents = responses.flatMap(({ shape, contentType }): readonly (readonly [string, JsonObject])[] => {
    if (shape === undefined && contentType === undefined) return [];
    const schema = shape === undefined ? { type: "string" } : catalog.ref(shape);
    return [[contentType ?? "application/json", { schema }]];
  });
  const isWatched = route.query?.some(({ name }) => name === "watch") === true;
  const events: readonly (readonly [string, JsonObject])[] = isWatched
    ? [["text/event-stream", { schema: { type: "string" } }]]
    : [];
  const content = Object.fromEntries([...contents, ...events]);
  const description = responses.map((response) => response.description).join(" ");
  return { description, ...(Object.keys(content).length === 0 ? {} : { content }) };
}

/** Returns the problem statuses of a route. */
function problemStatuses({ method, path, permission, request, query = [], headers = [] }: Route): readonly number[] {
  const isChange = method !== "GET";
  const has = (name: string): boolean =>
    query.some((one) => one.name === name) || headers.some((one) => one.name === name);
  return [
    400,
    ...(permission === "none" ? [] : [401, 403]),
    ...(path.includes("{") ? [404] : []),
    ...(isChange && permission !== "report" ? [409] : []),
    ...(has("watch") ? [410] : []),
    ...(has("if-match") ? [412] : []),
    ...(isChange ? [413] : []),
    ...(request === undefined ? [] : [415]),
    ...(isChange ? [422] : []),
    ...(permission === "none" ? [] : [429]),
    500,
    503,
  ];
}

function json(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}
