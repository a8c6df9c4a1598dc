import type { JsonObject, JsonValue } from "@levelset/core";
import { PROBLEMS } from "../problem.ts";
import type { AnswerShape, Route } from "../route.ts";
import type { SchemaCatalog } from "./schema-catalog.ts";

/** The statuses that problems have, and what each may mean. */
export const PROBLEM_STATUSES: ReadonlyMap<number, string> = new Map([
  ...Map.groupBy(Object.entries(PROBLEMS), ([, { status }]) => status)
    .entries()
    .map(([status, kinds]): [number, string] => {
      return [status, kinds.map(([code, { title }]) => `HYPERFLEET-${code} ${title}`).join("; ")];
    }),
  [422, "HYPERFLEET-VAL-000 It cannot be done here"],
]);

/** The name of the reusable answer for a status. */
export function problemName(status: number): string {
  return `Problem${status}`;
}

/** What a document says of one route. */
export function operationJson(route: Route, catalog: SchemaCatalog, hasTokens: boolean): JsonObject {
  const { request, kind, parent, needs } = route;
  const parameters = parametersJson(route, catalog);
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [kind?.kind ?? (needs === "none" ? "API" : "Resource")],
    ...(parent === undefined ? {} : { "x-parent-kind": parent.kind }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined
      ? {}
      : { requestBody: { required: true, content: json(catalog.referRequest(request, kind)) } }),
    responses: responsesJson(route, catalog),
    security: hasTokens && needs !== "none" ? [{ token: [] }] : [],
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
  const good = Map.groupBy(route.answers, ({ status }) => status)
    .entries()
    .map(([status, answers]): [string, JsonValue] => [String(status), responseJson(route, answers, catalog)]);
  const bad = problemStatuses(route).map((status): [string, JsonValue] => {
    return [String(status), { $ref: `#/components/responses/${problemName(status)}` }];
  });
  return { ...Object.fromEntries(good), ...Object.fromEntries(bad) };
}

function responseJson(route: Route, answers: readonly AnswerShape[], catalog: SchemaCatalog): JsonObject {
  const contents = answers.flatMap(({ shape, contentType }): readonly (readonly [string, JsonObject])[] => {
    if (shape === undefined && contentType === undefined) return [];
    const schema = shape === undefined ? { type: "string" } : catalog.refer(shape);
    return [[contentType ?? "application/json", { schema }]];
  });
  const isWatched = route.query?.some(({ name }) => name === "watch") === true;
  const events: readonly (readonly [string, JsonObject])[] = isWatched
    ? [["text/event-stream", { schema: { type: "string" } }]]
    : [];
  const content = Object.fromEntries([...contents, ...events]);
  const description = answers.map((answer) => answer.description).join(" ");
  return { description, ...(Object.keys(content).length === 0 ? {} : { content }) };
}

/** The problems that a route may answer with. */
function problemStatuses({ method, path, needs, request, query = [], headers = [] }: Route): readonly number[] {
  const isChange = method !== "GET";
  const has = (name: string): boolean =>
    query.some((one) => one.name === name) || headers.some((one) => one.name === name);
  return [
    400,
    ...(needs === "none" ? [] : [401, 403]),
    ...(path.includes("{") ? [404] : []),
    ...(isChange && needs !== "report" ? [409] : []),
    ...(has("watch") ? [410] : []),
    ...(has("if-match") ? [412] : []),
    ...(isChange ? [413] : []),
    ...(request === undefined ? [] : [415]),
    ...(isChange ? [422] : []),
    ...(needs === "none" ? [] : [429]),
    500,
    503,
  ];
}

function json(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}
