/** The route table of the API. Router, OpenAPI document and metrics are derived from it. */
import { s } from "@levelset/core";
import type { FleetKind, FleetKinds } from "../resource/index.ts";
import type { ResourceHandlers, RouteScope } from "./resource-handlers.ts";
import { jsonResponse } from "./route.ts";
import type { ResponseSchema, HeaderParameter, QueryParameter, Route, NamedSchema } from "./route.ts";
import {
  ADAPTER_STATUS_SCHEMA,
  ADAPTER_STATUS_LIST_SCHEMA,
  API_INFO_SCHEMA,
  CREATE_SCHEMA,
  kindCreateSchema,
  FORCE_DELETE_SCHEMA,
  JOURNAL_SCHEMA,
  PATCH_SCHEMA,
  PULSE_SCHEMA,
  REPORT_SCHEMA,
  RESOURCE_SCHEMA,
  RESOURCE_LIST_SCHEMA,
  PARTIAL_RESOURCE_SCHEMA,
} from "./api-schemas.ts";

const PAGE: readonly QueryParameter[] = [
  { name: "page", description: "Page number, from 1.", schema: s.int32().min(1).max(100_000) },
  { name: "size", description: "Maximum number of items. Default 20.", schema: s.int32().min(1).max(100) },
];
const [, SIZE] = PAGE;
const FIELDS: QueryParameter = {
  name: "fields",
  description: "Selected fields, with dots for nested fields: id,name,status.conditions.type",
  schema: s.string(),
};
const LIST: readonly QueryParameter[] = [
  ...PAGE,
  {
    name: "after",
    description: "The next value of the previous response; empty to start. Replaces page.",
    schema: s.string(),
  },
  {
    name: "search",
    description: "Search expression: labels.shard='1' and generation > 2",
    schema: s.string().max(4_096),
  },
  {
    name: "order",
    description: "Sort columns: name desc,created_time. Default created_time desc.",
    schema: s.string(),
  },
  FIELDS,
  {
    name: "ref_type",
    description: "Only resources with a reference of this type. Requires ref_target_id.",
    schema: s.string(),
  },
  {
    name: "ref_target_id",
    description: "Only resources that refer to this resource. Requires ref_type.",
    schema: s.string(),
  },
  { name: "watch", description: "true: stream changes instead of returning a list.", schema: s.enum("true", "false") },
];
const KIND: QueryParameter = { name: "kind", description: "Only this kind.", schema: s.string() };
const BEFORE: QueryParameter = {
  name: "before",
  description: "The next value of the previous response.",
  schema: s.string(),
};
const ADAPTER: QueryParameter = { name: "adapter", description: "Only reports of this adapter.", schema: s.string() };
const RESOURCE_ID: QueryParameter = {
  name: "resource_id",
  description: "Only entries of this resource, including removed resources.",
  schema: s.string(),
};

const ONCE: HeaderParameter = {
  name: "idempotency-key",
  description: "Idempotency key: a repeated request with this key is executed once.",
};
const IF_MATCH: HeaderParameter = {
  name: "if-match",
  description: "Only if the generation matches this ETag; otherwise 412.",
};
const IF_NONE_MATCH: HeaderParameter = {
  name: "if-none-match",
  description: "Returns 304 if the resource matches this ETag.",
};
const LAST_EVENT: HeaderParameter = { name: "last-event-id", description: "Position at which a watch resumes." };

/** Options of {@link fleetRoutes}. */
export interface RouteOptions {
  readonly handlers: ResourceHandlers;
  readonly kinds: FleetKinds;
  readonly basePath: string;
  readonly version: string;
  readonly buildTime: string;
}

/** Returns all routes of a fleet with these kinds. */
export function fleetRoutes({ handlers, kinds, basePath, version, buildTime }: RouteOptions): readonly Route[] {
  const ofKinds = kinds.all.flatMap((kind) => {
    return scopesOf(kinds, kind).flatMap((scope) => scopeRoutes(handlers, scope, pathOf(basePath, scope)));
  });
  const anyKind: RouteScope = { ancestors: [] };
  const info = { id: "hyperfleet", kind: "API", href: "/api/hyperfleet", version, build_time: buildTime };
  return [
    {
      method: "GET",
      path: info.href,
      operationId: "getApiInfo",
      summary: "Returns version information",
      permission: "none",
      responses: [responseSchema(200, "Version information.", API_INFO_SCHEMA)],
      handle: () => Promise.resolve(jsonResponse(info)),
    },
    ...ofKinds,
    ...scopeRoutes(handlers, anyKind, `${basePath}/resources`),
    {
      method: "GET",
      path: `${basePath}/audit`,
      operationId: "listAudit",
      summary: "Lists audit entries, newest first",
      permission: "read",
      query: [...present(SIZE), BEFORE, RESOURCE_ID],
      responses: [responseSchema(200, "A page of the audit log.", JOURNAL_SCHEMA)],
      handle: (context) => handlers.audit(context),
    },
  ];
}

function present<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

/** Returns the paths of a kind: top level, below its parent, below its grandparent, and so on. */
function scopesOf(kinds: FleetKinds, kind: FleetKind): readonly RouteScope[] {
  const line = ancestorsOf(kinds, kind);
  return [...line.keys(), line.length].map((height) => ({ kind, ancestors: line.slice(line.length - height) }));
}

/** Returns the ancestors of a kind, topmost first. */
function ancestorsOf(kinds: FleetKinds, kind: FleetKind): RouteScope["ancestors"] {
  const above = parentOf(kinds, kind);
  if (above === undefined) return [];
  return [...ancestorsOf(kinds, above), { kind: above, parameter: `${above.kind.toLowerCase()}_id` }];
}

function parentOf(kinds: FleetKinds, { parent }: FleetKind): FleetKind | undefined {
  return parent === undefined ? undefined : kinds.find(parent.kind);
}

function pathOf(basePath: string, { kind, ancestors }: RouteScope): string {
  const above = ancestors.map((ancestor) => `/${ancestor.kind.plural}/{${ancestor.parameter}}`);
  return `${basePath}${above.join("")}/${kind?.plural ?? "resources"}`;
}

/** Returns the operations on the resources of one path. */
function scopeRoutes(handlers: ResourceHandlers, scope: RouteScope, path: string): readonly Route[] {
  const { kind, ancestors } = scope;
  const parent = ancestors.at(-1)?.kind;
  const noun = kind?.kind ?? "Resource";
  const suffix = ancestors
    .map((ancestor) => `Of${ancestor.kind.kind}`)
    .toReversed()
    .join("");
  const common = { ...(kind === undefined ? {} : { kind }), ...(parent === undefined ? {} : { parent }) };
  const below = parent === undefined ? "" : ` of a ${parent.kind}`;
  const route = (
    method: Route["method"],
    more: string,
    verb: string,
    rest: Omit<Route, "method" | "path" | "operationId">,
  ): Route => ({ method, path: path + more, operationId: `${verb}${suffix}`, ...common, ...rest });
  return [
    route("GET", "", `list${noun}`, {
      summary: `Lists ${noun}s${below}, or watches them`,
      permission: "read",
      query: kind === undefined ? [...LIST, KIND] : LIST,
      headers: [LAST_EVENT],
      responses: [responseSchema(200, "A page of the list.", RESOURCE_LIST_SCHEMA)],
      handle: (context) => handlers.list(scope, context),
    }),
    route("POST", "", `create${noun}`, {
      summary: `Creates a ${noun}${below}`,
      permission: "declare",
      headers: [ONCE],
      request: kind === undefined ? CREATE_SCHEMA : kindCreateSchema(kind),
      responses: [responseSchema(201, "The created resource.", RESOURCE_SCHEMA)],
      handle: (context) => handlers.create(scope, context),
    }),
    ...itemRoutes(handlers, scope, noun, route),
    ...reportRoutes(handlers, scope, noun, route),
  ];
}

type MakeRoute = (
  method: Route["method"],
  more: string,
  verb: string,
  rest: Omit<Route, "method" | "path" | "operationId">,
) => Route;

function itemRoutes(handlers: ResourceHandlers, scope: RouteScope, noun: string, route: MakeRoute): readonly Route[] {
  return [
    route("GET", "/{id}", `get${noun}`, {
      summary: `Returns a ${noun}`,
      permission: "read",
      query: [FIELDS],
      headers: [IF_NONE_MATCH],
      responses: [
        responseSchema(200, "The resource, or the selected fields of it.", PARTIAL_RESOURCE_SCHEMA),
        responseSchema(304, "The resource is unchanged."),
      ],
      handle: (context) => handlers.get(scope, context),
    }),
    route("PATCH", "/{id}", `patch${noun}`, {
      summary: `Changes a ${noun}: each given field replaces its previous value`,
      permission: "declare",
      headers: [IF_MATCH, ONCE],
      request: PATCH_SCHEMA,
      responses: [responseSchema(200, "The changed resource.", RESOURCE_SCHEMA)],
      handle: (context) => handlers.patch(scope, context),
    }),
    route("DELETE", "/{id}", `delete${noun}`, {
      summary: `Requests deletion of a ${noun}`,
      permission: "declare",
      headers: [IF_MATCH, ONCE],
      responses: [
        responseSchema(
          202,
          "The resource is being deleted, or is already removed if there was nothing to wait for.",
          RESOURCE_SCHEMA,
        ),
      ],
      handle: (context) => handlers.delete(scope, context),
    }),
    route("POST", "/{id}/force-delete", `forceDelete${noun}`, {
      summary: `Removes the record of a ${noun} that is being deleted, without waiting for its adapters`,
      permission: "force",
      headers: [IF_MATCH, ONCE],
      request: FORCE_DELETE_SCHEMA,
      responses: [responseSchema(204, "The resource is removed.")],
      handle: (context) => handlers.forceDelete(scope, context),
    }),
  ];
}

function reportRoutes(handlers: ResourceHandlers, scope: RouteScope, noun: string, route: MakeRoute): readonly Route[] {
  const report: Omit<Route, "method" | "path" | "operationId"> = {
    summary: `Reports on a ${noun} as an adapter`,
    permission: "report",
    request: REPORT_SCHEMA,
    responses: [
      responseSchema(201, "The current status of the adapter.", ADAPTER_STATUS_SCHEMA),
      responseSchema(204, "The report is recorded in the history and has no effect."),
    ],
    handle: (context) => handlers.report(scope, context),
  };
  return [
    route("GET", "/{id}/statuses", `list${noun}Statuses`, {
      summary: `Lists the adapter statuses of a ${noun}`,
      permission: "read",
      query: PAGE,
      responses: [responseSchema(200, "A page of statuses, by adapter name.", ADAPTER_STATUS_LIST_SCHEMA)],
      handle: (context) => handlers.statuses(scope, context),
    }),
    route("PUT", "/{id}/statuses", `put${noun}Status`, report),
    route("POST", "/{id}/statuses", `post${noun}Status`, report),
    route("GET", "/{id}/pulse", `get${noun}Pulse`, {
      summary: `Returns when a ${noun} was last pulsed and when it is due next`,
      permission: "read",
      responses: [responseSchema(200, "The last pulse and the planned work.", PULSE_SCHEMA)],
      handle: (context) => handlers.pulse(scope, context),
    }),
    route("GET", "/{id}/history", `list${noun}History`, {
      summary: `Lists the reports on a ${noun}, newest first, including those without effect`,
      permission: "read",
      query: [...present(SIZE), BEFORE, ADAPTER],
      responses: [responseSchema(200, "A page of the history.", JOURNAL_SCHEMA)],
      handle: (context) => handlers.history(scope, context),
    }),
  ];
}

function responseSchema(status: number, description: string, shape?: NamedSchema): ResponseSchema {
  return { status, description, ...(shape === undefined ? {} : { shape }) };
}
