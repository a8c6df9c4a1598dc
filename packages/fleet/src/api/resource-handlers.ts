import { createHash } from "node:crypto";
import { canonicalJson, stringifyJson } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import { adapterStatusJson, resourceJson, timeText } from "../resource/index.ts";
import type { FleetKind } from "../resource/index.ts";
import { applyFieldMask } from "../search/index.ts";
import { FleetError, invalidFields } from "../service/index.ts";
import type {
  MutationResult,
  Fleet,
  MutationOptions,
  IdempotentRequest,
  PulseStatus,
  VersionedResource,
  ResourceTarget,
} from "../service/index.ts";
import type { JournalEntry, IdempotentResponse } from "../store/index.ts";
import { encodeCursor } from "./cursor.ts";
import { readCreate, readPatch, readReason } from "./declaration-body.ts";
import { etagOf, matchesEtag, ifMatchGenerations } from "./etag.ts";
import {
  isWatch,
  kindFilterOf,
  singleParam,
  orderOf,
  pagingOf,
  pageRequestOf,
  referenceOf,
  searchOf,
  fieldMaskOf,
} from "./query-params.ts";
import { HttpProblem } from "./http-problem.ts";
import { jsonResponse } from "./route.ts";
import type { HandlerResponse, RequestContext } from "./route.ts";
import type { Watcher } from "./watcher.ts";

/** The maximum length of an idempotency key. */
const ONCE_KEY_MAX = 255;

/** The kind and ancestors that a path addresses. */
export interface RouteScope {
  /** Absent: any kind. */
  readonly kind?: FleetKind;
  /** The ancestors in the path, topmost first, each with the path parameter of its ID. */
  readonly ancestors: readonly { readonly kind: FleetKind; readonly parameter: string }[];
}

/** The handlers of the routes. */
export class ResourceHandlers {
  readonly #fleet: Fleet;
  readonly #watcher: Watcher | undefined;

  constructor(options: { readonly fleet: Fleet; readonly watcher: Watcher | undefined }) {
    this.#fleet = options.fleet;
    this.#watcher = options.watcher;
  }

  async list(scope: RouteScope, context: RequestContext): Promise<HandlerResponse> {
    const { query, caller, headers, signal } = context;
    const kind = scope.kind ?? kindFilterOf(query, this.#fleet.kinds);
    const reference = referenceOf(query, kind === undefined ? this.#fleet.kinds.all : [kind]);
    const search = searchOf(query);
    const order = orderOf(query);
    const selection = fieldMaskOf(query);
    const part = pageRequestOf(query, order);
    const isWatched = isWatch(query);
    const owner = await this.#above(scope, context);
    if (owner !== undefined) await this.#fleet.get(caller, owner);
    const which = {
      ...(kind === undefined ? {} : { kind: kind.kind }),
      ...(owner === undefined ? {} : { ownerId: owner.id }),
      ...(search === undefined ? {} : { search }),
      ...(reference === undefined ? {} : { reference }),
    };
    if (isWatched) {
      if (this.#watcher === undefined) throw new HttpProblem("VAL-005", "this API does not serve watches");
      // HEAD has no body, so the stream would never be read or closed.
      if (context.method === "HEAD") return { status: 200, headers: { "content-type": "text/event-stream" } };
      return this.#watcher.watch({ ...which, caller, selection, lastEventId: headers.get("last-event-id"), signal });
    }
    const { items, total, next } = await this.#fleet.list(caller, { ...which, order, page: part });
    return jsonResponse({
      items: items.map(({ resource }) => applyFieldMask(resourceJson(resource), selection)),
      ...(part.kind === "page" ? { page: part.page } : {}),
      size: items.length,
      ...(total === undefined ? {} : { total }),
      ...(part.kind === "after" && next !== undefined ? { next: encodeCursor(order, next) } : {}),
    });
  }

  async create(scope: RouteScope, context: RequestContext): Promise<HandlerResponse> {
    const { caller } = context;
    if (scope.kind !== undefined) this.#checkParentPath(scope.kind, scope);
    const { text, json } = await context.body();
    const { kind: named, name, members } = readCreate(json);
    const kind = scope.kind ?? this.#fleet.kinds.find(named);
    if (kind === undefined) throw invalidFields([{ field: "kind", message: `unknown kind '${named}'`, value: named }]);
    if (kind.kind !== named) {
      throw invalidFields([{ field: "kind", message: `kind must be '${kind.kind}'`, value: named }]);
    }
    this.#checkParentPath(kind, scope);
    const parent = await this.#above(scope, context);
    const once = onceOf(context, text, (versioned) => ({
      status: 201,
      ...storedResponse(versioned, resourceJson(versioned.resource)),
    }));
    const done = await this.#fleet.create(caller, { kind, name, parent, ...members }, { idempotency: once });
    return responseOf(done, 201);
  }

  async get(scope: RouteScope, context: RequestContext): Promise<HandlerResponse> {
    const selection = fieldMaskOf(context.query);
    const versioned = await this.#fleet.get(context.caller, await this.#target(scope, context));
    const etag = etagOf(versioned);
    if (matchesEtag(context.headers.get("if-none-match"), etag)) return { status: 304, headers: { etag } };
    return jsonResponse(applyFieldMask(resourceJson(versioned.resource), selection), 200, { etag });
  }

  async patch(scope: RouteScope, context: RequestContext): Promise<HandlerResponse> {
    const { text, json } = await context.body();
    const patch = readPatch(json);
    const target = await this.#target(scope, context);
    const done = await this.#fleet.patch(context.caller, target, patch, optionsOf(context, text, 200));
    return responseOf(done, 200);
  }

  async delete(scope: RouteScope, context: RequestContext): Promise<HandlerResponse> {
    const target = await this.#target(scope, context);
    const done = await this.#fleet.delete(context.caller, target, optionsOf(context, "", 202));
    return responseOf(done, 202);
  }

  async forceDelete(scope: RouteScope, context: RequestContext): Promise<HandlerResponse> {
    const { text, json } = await context.body();
    const reason = readReason(json);
    const target = await this.#target(scope, context);
    const done = await this.#fleet.forceDelete(context.caller, target, reason, optionsOf(context, text, 204));
    return responseOf(done, 204);
  }

  async statuses(scope: RouteScope, context: RequestContext): Promise<HandlerResponse> {
    const { page, size } = pagingOf(context.query);
    const all = await this.#fleet.statuses(context.caller, await this.#target(scope, context));
    const items = all.slice((page - 1) * size, page * size).map(adapterStatusJson);
    return jsonResponse({ items, page, size: items.length, total: all.length });
  }

  async report(scope: RouteScope, context: RequestContext): Promise<HandlerResponse> {
    const { json } = await context.body();
    const result = await this.#fleet.report(context.caller, await this.#target(scope, context), json);
    return result.kind === "unchanged" ? { status: 204 } : jsonResponse(adapterStatusJson(result.status), 201);
  }

  async pulse(scope: RouteScope, context: RequestContext): Promise<HandlerResponse> {
    return jsonResponse(pulseJson(await this.#fleet.pulse(context.caller, await this.#target(scope, context))));
  }

  async history(scope: RouteScope, context: RequestContext): Promise<HandlerResponse> {
    const { size } = pagingOf(context.query);
    const adapter = singleParam(context.query, "adapter");
    const query = { limit: size + 1, ...beforeOf(context), ...(adapter === undefined ? {} : { adapter }) };
    const found = await this.#fleet.history(context.caller, await this.#target(scope, context), query);
    return journalAnswer(found, size);
  }

  async audit(context: RequestContext): Promise<HandlerResponse> {
    const { size } = pagingOf(context.query);
    const resourceId = singleParam(context.query, "resource_id");
    const query = { limit: size + 1, ...beforeOf(context), ...(resourceId === undefined ? {} : { resourceId }) };
    return journalAnswer(await this.#fleet.audit(context.caller, query), size);
  }

  /** Children can only be created below a parent. */
  #checkParentPath(kind: FleetKind, { ancestors }: RouteScope): void {
    if (kind.parent === undefined || ancestors.length > 0) return;
    const parent = this.#fleet.kinds.find(kind.parent.kind);
    const where = `/${parent?.plural ?? ""}/{id}/${kind.plural}`;
    throw new FleetError("unprocessable", `create a ${kind.kind} below its parent: POST ${where}`);
  }

  /** Returns the resource in the path. The ancestors in the path must be its own. */
  async #target(scope: RouteScope, context: RequestContext): Promise<ResourceTarget> {
    const parent = await this.#above(scope, context);
    if (parent?.ownerId !== undefined) await this.#fleet.get(context.caller, parent);
    const { kind } = scope;
    return {
      id: context.params["id"] ?? "",
      ...(kind === undefined ? {} : { kind: kind.kind }),
      ...(parent === undefined ? {} : { ownerId: parent.id }),
    };
  }

  /** Returns the parent in the path. The caller checks that it exists; its own ancestors have been checked. */
  async #above({ ancestors }: RouteScope, { params, caller }: RequestContext): Promise<ResourceTarget | undefined> {
    let above: ResourceTarget | undefined;
    for (const { kind, parameter } of ancestors) {
      if (above?.ownerId !== undefined) await this.#fleet.get(caller, above);
      const owner: Pick<ResourceTarget, "ownerId"> = above === undefined ? {} : { ownerId: above.id };
      above = { id: params[parameter] ?? "", kind: kind.kind, ...owner };
    }
    return above;
  }
}

function pulseJson({ work, adapters }: PulseStatus): JsonObject {
  const { pulsedTime: last, dueTime: next, cause: reason } = work ?? {};
  return {
    ...(last === undefined ? {} : { last_time: timeText(last) }),
    ...(next === undefined || reason === undefined ? {} : { next_time: timeText(next), reason }),
    adapters: adapters.map(({ adapter, time }) => ({ adapter, due_time: timeText(time) })),
  };
}

function beforeOf({ query }: RequestContext): { readonly before?: string } {
  const before = singleParam(query, "before");
  return before === undefined ? {} : { before };
}

function journalAnswer(found: readonly JournalEntry[], size: number): HandlerResponse {
  const items = found.slice(0, size);
  const last = items.at(-1);
  const next = found.length > size && last !== undefined ? { next: last.id } : {};
  return jsonResponse({ items: items.map(entryJson), size: items.length, ...next });
}

function entryJson({
  id,
  time,
  action,
  resourceId,
  kind,
  name,
  by,
  requestId,
  generation,
  ...more
}: JournalEntry): JsonObject {
  const { adapter, details } = more;
  return {
    id,
    time: timeText(time),
    action,
    resource_id: resourceId,
    kind,
    name,
    by,
    request_id: requestId,
    generation,
    ...(adapter === undefined ? {} : { adapter }),
    ...(details === undefined ? {} : { details }),
  };
}

function optionsOf(context: RequestContext, text: string, status: 200 | 202 | 204): MutationOptions {
  const generations = ifMatchGenerations(context.headers.get("if-match"));
  const once = onceOf(context, text, (versioned) => {
    return {
      status,
      ...(status === 204 ? { headers: {}, body: "" } : storedResponse(versioned, resourceJson(versioned.resource))),
    };
  });
  return { generations, idempotency: once };
}

/** Returns the idempotency key of a request, scoped to caller and request. */
function onceOf(
  context: RequestContext,
  text: string,
  response: IdempotentRequest["response"],
): IdempotentRequest | undefined {
  const key = context.headers.get("idempotency-key");
  if (key === undefined) return undefined;
  if (key === "" || key.length > ONCE_KEY_MAX) {
    const message = `the idempotency key must have 1 to ${ONCE_KEY_MAX} characters`;
    throw invalidFields([{ field: "Idempotency-Key", message, constraint: key === "" ? "min" : "max" }]);
  }
  const { caller, method, path, headers } = context;
  const parts = [caller.identity, canonicalJson(caller.tenancy), `${method} ${path}`, key];
  return {
    key: digest(parts.join("\n")),
    request: digest(`${headers.get("if-match") ?? ""}\n${text}`),
    response: response,
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function storedResponse(versioned: VersionedResource, json: JsonValue): Pick<IdempotentResponse, "headers" | "body"> {
  return { headers: headersOf(versioned), body: stringifyJson(json) };
}

function headersOf(versioned: VersionedResource): Readonly<Record<string, string>> {
  return { etag: etagOf(versioned) };
}

function responseOf(done: MutationResult<VersionedResource>, status: 200 | 201 | 202 | 204): HandlerResponse {
  if (done.kind === "done") {
    if (status === 204) return { status };
    return jsonResponse(resourceJson(done.result.resource), status, headersOf(done.result));
  }
  const { answer: response } = done;
  const headers = { ...response.headers, "idempotency-replayed": "true" };
  if (response.body === "") return { status: response.status, headers };
  return {
    status: response.status,
    headers,
    body: { kind: "text", text: response.body, contentType: "application/json" },
  };
}
