/** The table of what the API serves. Router, documents and metrics are made from it. */
import { s } from "@levelset/core";
import type { FleetKind, FleetKinds } from "../resource/index.ts";
import type { Handlers, Place } from "./handlers.ts";
import { jsonAnswer } from "./route.ts";
import type { AnswerShape, HeaderParameter, QueryParameter, Route, Shape } from "./route.ts";
import {
  ADAPTER_STATUS,
  ADAPTER_STATUS_LIST,
  API_INFO,
  CREATE,
  createShape,
  FORCE_DELETE,
  JOURNAL,
  PATCH,
  PULSE,
  REPORT,
  RESOURCE,
  RESOURCE_LIST,
  RESOURCE_PARTS,
} from "./shapes.ts";

const PAGE: readonly QueryParameter[] = [
  { name: "page", description: "Which page, from 1.", schema: s.int32().min(1).max(100_000) },
  { name: "size", description: "How many at most. Default 20.", schema: s.int32().min(1).max(100) },
];
const [, SIZE] = PAGE;
const FIELDS: QueryParameter = {
  name: "fields",
  description: "Only these members, with dots for parts of them: id,name,status.conditions.type",
  schema: s.string(),
};
const LIST: readonly QueryParameter[] = [
  ...PAGE,
  { name: "after", description: "The next of the answer before; empty to begin. Instead of page.", schema: s.string() },
  {
    name: "search",
    description: "What is searched for: labels.shard='1' and generation > 2",
    schema: s.string().max(4_096),
  },
  {
    name: "order",
    description: "By which columns: name desc,created_time. Default created_time desc.",
    schema: s.string(),
  },
  FIELDS,
  { name: "ref_type", description: "Only what refers by this type. With ref_target_id.", schema: s.string() },
  { name: "ref_target_id", description: "Only what refers to this resource. With ref_type.", schema: s.string() },
  { name: "watch", description: "true: a stream of changes instead of a list.", schema: s.enum("true", "false") },
];
const KIND: QueryParameter = { name: "kind", description: "Only this kind.", schema: s.string() };
const BEFORE: QueryParameter = { name: "before", description: "The next of the answer before.", schema: s.string() };
const ADAPTER: QueryParameter = { name: "adapter", description: "Only reports of this adapter.", schema: s.string() };
const RESOURCE_ID: QueryParameter = {
  name: "resource_id",
  description: "Only what happened to this resource, also after it is gone.",
  schema: s.string(),
};

const ONCE: HeaderParameter = {
  name: "idempotency-key",
  description: "Done once, however often it is sent with this key.",
};
const IF_MATCH: HeaderParameter = {
  name: "if-match",
  description: "Only if the generation is still that of this ETag; otherwise 412.",
};
const IF_NONE_MATCH: HeaderParameter = {
  name: "if-none-match",
  description: "304 if the resource is still as this ETag says.",
};
const LAST_EVENT: HeaderParameter = { name: "last-event-id", description: "Where a watch goes on." };

/** What the table is made from. */
export interface RouteOptions {
  readonly handlers: Handlers;
  readonly kinds: FleetKinds;
  readonly basePath: string;
  readonly version: string;
  readonly buildTime: string;
}

/** All routes of a fleet with these kinds. */
export function fleetRoutes({ handlers, kinds, basePath, version, buildTime }: RouteOptions): readonly Route[] {
  const ofKinds = kinds.all.flatMap((kind) => {
    return placesOf(kinds, kind).flatMap((place) => placeRoutes(handlers, place, pathOf(basePath, place)));
  });
  const anyKind: Place = { ancestors: [] };
  const info = { id: "hyperfleet", kind: "API", href: "/api/hyperfleet", version, build_time: buildTime };
  return [
    {
      method: "GET",
      path: info.href,
      operationId: "getApiInfo",
      summary: "What this API is",
      needs: "none",
      answers: [answer(200, "The API.", API_INFO)],
      handle: () => Promise.resolve(jsonAnswer(info)),
    },
    ...ofKinds,
    ...placeRoutes(handlers, anyKind, `${basePath}/resources`),
    {
      method: "GET",
      path: `${basePath}/audit`,
      operationId: "listAudit",
      summary: "Who changed what, the newest first",
      needs: "read",
      query: [...present(SIZE), BEFORE, RESOURCE_ID],
      answers: [answer(200, "The audit.", JOURNAL)],
      handle: (exchange) => handlers.audit(exchange),
    },
  ];
}

function present<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

/** Where resources of a kind are found: by themselves, below their parent, below the parent of that, and so on. */
function placesOf(kinds: FleetKinds, kind: FleetKind): readonly Place[] {
  const line = ancestorsOf(kinds, kind);
  return [...line.keys(), line.length].map((height) => ({ kind, ancestors: line.slice(line.length - height) }));
}

/** The ancestors of a kind, the highest first. */
function ancestorsOf(kinds: FleetKinds, kind: FleetKind): Place["ancestors"] {
  const above = parentOf(kinds, kind);
  if (above === undefined) return [];
  return [...ancestorsOf(kinds, above), { kind: above, parameter: `${above.kind.toLowerCase()}_id` }];
}

function parentOf(kinds: FleetKinds, { parent }: FleetKind): FleetKind | undefined {
  return parent === undefined ? undefined : kinds.find(parent.kind);
}

function pathOf(basePath: string, { kind, ancestors }: Place): string {
  const above = ancestors.map((ancestor) => `/${ancestor.kind.plural}/{${ancestor.parameter}}`);
  return `${basePath}${above.join("")}/${kind?.plural ?? "resources"}`;
}

/** The operations on the resources of one place. */
function placeRoutes(handlers: Handlers, place: Place, path: string): readonly Route[] {
  const { kind, ancestors } = place;
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
      needs: "read",
      query: kind === undefined ? [...LIST, KIND] : LIST,
      headers: [LAST_EVENT],
      answers: [answer(200, "A part of the list.", RESOURCE_LIST)],
      handle: (exchange) => handlers.list(place, exchange),
    }),
    route("POST", "", `create${noun}`, {
      summary: `Creates a ${noun}${below}`,
      needs: "declare",
      headers: [ONCE],
      request: kind === undefined ? CREATE : createShape(kind),
      answers: [answer(201, "It is created.", RESOURCE)],
      handle: (exchange) => handlers.create(place, exchange),
    }),
    ...itemRoutes(handlers, place, noun, route),
    ...reportRoutes(handlers, place, noun, route),
  ];
}

type MakeRoute = (
  method: Route["method"],
  more: string,
  verb: string,
  rest: Omit<Route, "method" | "path" | "operationId">,
) => Route;

function itemRoutes(handlers: Handlers, place: Place, noun: string, route: MakeRoute): readonly Route[] {
  return [
    route("GET", "/{id}", `get${noun}`, {
      summary: `Reads a ${noun}`,
      needs: "read",
      query: [FIELDS],
      headers: [IF_NONE_MATCH],
      answers: [
        answer(200, "It, or the parts of it that were asked for.", RESOURCE_PARTS),
        answer(304, "It is unchanged."),
      ],
      handle: (exchange) => handlers.get(place, exchange),
    }),
    route("PATCH", "/{id}", `patch${noun}`, {
      summary: `Changes a ${noun}: each given member replaces the one before`,
      needs: "declare",
      headers: [IF_MATCH, ONCE],
      request: PATCH,
      answers: [answer(200, "It, as it is now.", RESOURCE)],
      handle: (exchange) => handlers.patch(place, exchange),
    }),
    route("DELETE", "/{id}", `delete${noun}`, {
      summary: `Asks for the deletion of a ${noun}`,
      needs: "declare",
      headers: [IF_MATCH, ONCE],
      answers: [answer(202, "It is being deleted, or gone already if nothing has to wait.", RESOURCE)],
      handle: (exchange) => handlers.remove(place, exchange),
    }),
    route("POST", "/{id}/force-delete", `forceDelete${noun}`, {
      summary: `Removes the record of a ${noun} that is being deleted, without waiting for its adapters`,
      needs: "force",
      headers: [IF_MATCH, ONCE],
      request: FORCE_DELETE,
      answers: [answer(204, "It is gone.")],
      handle: (exchange) => handlers.forceRemove(place, exchange),
    }),
  ];
}

function reportRoutes(handlers: Handlers, place: Place, noun: string, route: MakeRoute): readonly Route[] {
  const report: Omit<Route, "method" | "path" | "operationId"> = {
    summary: `Reports on a ${noun} as an adapter`,
    needs: "report",
    request: REPORT,
    answers: [
      answer(201, "What is known of the adapter now.", ADAPTER_STATUS),
      answer(204, "It is in the history, and changes nothing."),
    ],
    handle: (exchange) => handlers.report(place, exchange),
  };
  return [
    route("GET", "/{id}/statuses", `list${noun}Statuses`, {
      summary: `What adapters have reported on a ${noun}`,
      needs: "read",
      query: PAGE,
      answers: [answer(200, "A page of them, by name of adapter.", ADAPTER_STATUS_LIST)],
      handle: (exchange) => handlers.statuses(place, exchange),
    }),
    route("PUT", "/{id}/statuses", `put${noun}Status`, report),
    route("POST", "/{id}/statuses", `post${noun}Status`, report),
    route("GET", "/{id}/pulse", `get${noun}Pulse`, {
      summary: `When adapters were last asked about a ${noun}, and when they are next`,
      needs: "read",
      answers: [answer(200, "What was sent, and what is planned.", PULSE)],
      handle: (exchange) => handlers.pulse(place, exchange),
    }),
    route("GET", "/{id}/history", `list${noun}History`, {
      summary: `The reports on a ${noun}, the newest first, those that changed nothing among them`,
      needs: "read",
      query: [...present(SIZE), BEFORE, ADAPTER],
      answers: [answer(200, "A part of its history.", JOURNAL)],
      handle: (exchange) => handlers.history(place, exchange),
    }),
  ];
}

function answer(status: number, description: string, shape?: Shape): AnswerShape {
  return { status, description, ...(shape === undefined ? {} : { shape }) };
}
