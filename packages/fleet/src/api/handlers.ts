import { createHash } from "node:crypto";
import { canonicalJson, stringifyJson } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { adapterStatusJson, resourceJson, timeText } from "../resource/index.ts";
import type { FleetKind } from "../resource/index.ts";
import { select } from "../search/index.ts";
import { FleetError, invalid } from "../service/index.ts";
import type { Done, Fleet, MutationOptions, Once, PulseNote, Seen, Target } from "../service/index.ts";
import type { JournalEntry, KeptAnswer } from "../store/index.ts";
import { cursorOf } from "./cursor.ts";
import { readCreate, readPatch, readReason } from "./declaration-body.ts";
import { etagOf, isKnown, matchedGenerations } from "./etag.ts";
import { isWatch, kindFilterOf, one, orderOf, pagingOf, partOf, referenceOf, searchOf, selectionOf } from "./query.ts";
import { Problem } from "./problem.ts";
import { jsonAnswer } from "./route.ts";
import type { Answer, Exchange } from "./route.ts";
import type { Watcher } from "./watcher.ts";

/** The most characters of an idempotency key. */
const ONCE_KEY_MAX = 255;

/** A resource, or the list of them, as a path names it: of which kind, and below which ancestors. */
export interface Place {
  /** Absent: of any kind. */
  readonly kind?: FleetKind;
  /** The ancestors in the path, the highest first, each with the name of the parameter that has its id. */
  readonly ancestors: readonly { readonly kind: FleetKind; readonly parameter: string }[];
}

/** What routes do. */
export class Handlers {
  readonly #fleet: Fleet;
  readonly #watcher: Watcher | undefined;

  constructor(options: { readonly fleet: Fleet; readonly watcher: Watcher | undefined }) {
    this.#fleet = options.fleet;
    this.#watcher = options.watcher;
  }

  async list(place: Place, exchange: Exchange): Promise<Answer> {
    const { query, caller, headers, signal } = exchange;
    const kind = place.kind ?? kindFilterOf(query, this.#fleet.kinds);
    const reference = referenceOf(query, kind === undefined ? this.#fleet.kinds.all : [kind]);
    const search = searchOf(query);
    const order = orderOf(query);
    const selection = selectionOf(query);
    const part = partOf(query, order);
    const isWatched = isWatch(query);
    const owner = await this.#above(place, exchange);
    if (owner !== undefined) await this.#fleet.get(caller, owner);
    const which = {
      ...(kind === undefined ? {} : { kind: kind.kind }),
      ...(owner === undefined ? {} : { ownerId: owner.id }),
      ...(search === undefined ? {} : { search }),
      ...(reference === undefined ? {} : { reference }),
    };
    if (isWatched) {
      if (this.#watcher === undefined) throw new Problem("VAL-005", "this API does not serve watches");
      // Nobody would read the stream, and so nobody would end it.
      if (exchange.method === "HEAD") return { status: 200, headers: { "content-type": "text/event-stream" } };
      return this.#watcher.watch({ ...which, caller, selection, lastEventId: headers.get("last-event-id"), signal });
    }
    const { items, total, next } = await this.#fleet.list(caller, { ...which, order, part });
    return jsonAnswer({
      items: items.map(({ resource }) => select(resourceJson(resource), selection)),
      ...(part.kind === "page" ? { page: part.page } : {}),
      size: items.length,
      ...(total === undefined ? {} : { total }),
      ...(part.kind === "after" && next !== undefined ? { next: cursorOf(order, next) } : {}),
    });
  }

  async create(place: Place, exchange: Exchange): Promise<Answer> {
    const { caller } = exchange;
    if (place.kind !== undefined) this.#checkBirthplace(place.kind, place);
    const { text, json } = await exchange.body();
    const { kind: named, name, members } = readCreate(json);
    const kind = place.kind ?? this.#fleet.kinds.find(named);
    if (kind === undefined) throw invalid([{ field: "kind", message: `unknown kind '${named}'`, value: named }]);
    if (kind.kind !== named) {
      throw invalid([{ field: "kind", message: `kind must be '${kind.kind}'`, value: named }]);
    }
    this.#checkBirthplace(kind, place);
    const parent = await this.#above(place, exchange);
    const once = onceOf(exchange, text, (seen) => ({ status: 201, ...kept(seen, resourceJson(seen.resource)) }));
    const done = await this.#fleet.create(caller, { kind, name, parent, ...members }, { once });
    return answerOf(done, 201);
  }

  async get(place: Place, exchange: Exchange): Promise<Answer> {
    const selection = selectionOf(exchange.query);
    const seen = await this.#fleet.get(exchange.caller, await this.#target(place, exchange));
    const etag = etagOf(seen);
    if (isKnown(exchange.headers.get("if-none-match"), etag)) return { status: 304, headers: { etag } };
    return jsonAnswer(select(resourceJson(seen.resource), selection), 200, { etag });
  }

  async patch(place: Place, exchange: Exchange): Promise<Answer> {
    const { text, json } = await exchange.body();
    const wanted = readPatch(json);
    const target = await this.#target(place, exchange);
    const done = await this.#fleet.patch(exchange.caller, target, wanted, optionsOf(exchange, text, 200));
    return answerOf(done, 200);
  }

  async remove(place: Place, exchange: Exchange): Promise<Answer> {
    const target = await this.#target(place, exchange);
    const done = await this.#fleet.remove(exchange.caller, target, optionsOf(exchange, "", 202));
    return answerOf(done, 202);
  }

  async forceRemove(place: Place, exchange: Exchange): Promise<Answer> {
    const { text, json } = await exchange.body();
    const reason = readReason(json);
    const target = await this.#target(place, exchange);
    const done = await this.#fleet.forceRemove(exchange.caller, target, reason, optionsOf(exchange, text, 204));
    return answerOf(done, 204);
  }

  async statuses(place: Place, exchange: Exchange): Promise<Answer> {
    const { page, size } = pagingOf(exchange.query);
    const all = await this.#fleet.statuses(exchange.caller, await this.#target(place, exchange));
    const items = all.slice((page - 1) * size, page * size).map(adapterStatusJson);
    return jsonAnswer({ items, page, size: items.length, total: all.length });
  }

  async report(place: Place, exchange: Exchange): Promise<Answer> {
    const { json } = await exchange.body();
    const reported = await this.#fleet.report(exchange.caller, await this.#target(place, exchange), json);
    return reported.kind === "quiet" ? { status: 204 } : jsonAnswer(adapterStatusJson(reported.status), 201);
  }

  async pulse(place: Place, exchange: Exchange): Promise<Answer> {
    return jsonAnswer(pulseJson(await this.#fleet.pulse(exchange.caller, await this.#target(place, exchange))));
  }

  async history(place: Place, exchange: Exchange): Promise<Answer> {
    const { size } = pagingOf(exchange.query);
    const adapter = one(exchange.query, "adapter");
    const query = { limit: size + 1, ...beforeOf(exchange), ...(adapter === undefined ? {} : { adapter }) };
    const found = await this.#fleet.history(exchange.caller, await this.#target(place, exchange), query);
    return journalAnswer(found, size);
  }

  async audit(exchange: Exchange): Promise<Answer> {
    const { size } = pagingOf(exchange.query);
    const resourceId = one(exchange.query, "resource_id");
    const query = { limit: size + 1, ...beforeOf(exchange), ...(resourceId === undefined ? {} : { resourceId }) };
    return journalAnswer(await this.#fleet.audit(exchange.caller, query), size);
  }

  /** Children are born below their parent. */
  #checkBirthplace(kind: FleetKind, { ancestors }: Place): void {
    if (kind.parent === undefined || ancestors.length > 0) return;
    const parent = this.#fleet.kinds.find(kind.parent.kind);
    const where = `/${parent?.plural ?? ""}/{id}/${kind.plural}`;
    throw new FleetError("unprocessable", `a ${kind.kind} is created below its parent: POST ${where}`);
  }

  /** The resource in the path. Its parent there must be its own, and so on upwards. */
  async #target(place: Place, exchange: Exchange): Promise<Target> {
    const parent = await this.#above(place, exchange);
    if (parent?.ownerId !== undefined) await this.#fleet.get(exchange.caller, parent);
    const { kind } = place;
    return {
      id: exchange.params["id"] ?? "",
      ...(kind === undefined ? {} : { kind: kind.kind }),
      ...(parent === undefined ? {} : { ownerId: parent.id }),
    };
  }

  /** The parent in the path. It is for the caller to see whether it is there; those above it are. */
  async #above({ ancestors }: Place, { params, caller }: Exchange): Promise<Target | undefined> {
    let above: Target | undefined;
    for (const { kind, parameter } of ancestors) {
      if (above?.ownerId !== undefined) await this.#fleet.get(caller, above);
      const owner: Pick<Target, "ownerId"> = above === undefined ? {} : { ownerId: above.id };
      above = { id: params[parameter] ?? "", kind: kind.kind, ...owner };
    }
    return above;
  }
}

function pulseJson({ work, adapters }: PulseNote): JsonObject {
  const { pulsedTime: last, dueTime: next, cause: reason } = work ?? {};
  return {
    ...(last === undefined ? {} : { last_time: timeText(last) }),
    ...(next === undefined || reason === undefined ? {} : { next_time: timeText(next), reason }),
    adapters: adapters.map(({ adapter, time }) => ({ adapter, due_time: timeText(time) })),
  };
}

function beforeOf({ query }: Exchange): { readonly before?: string } {
  const before = one(query, "before");
  return before === undefined ? {} : { before };
}

function journalAnswer(found: readonly JournalEntry[], size: number): Answer {
  const items = found.slice(0, size);
  const last = items.at(-1);
  const next = found.length > size && last !== undefined ? { next: last.id } : {};
  return jsonAnswer({ items: items.map(entryJson), size: items.length, ...next });
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

function optionsOf(exchange: Exchange, text: string, status: 200 | 202 | 204): MutationOptions {
  const generations = matchedGenerations(exchange.headers.get("if-match"));
  const once = onceOf(exchange, text, (seen) => {
    return { status, ...(status === 204 ? { headers: {}, body: "" } : kept(seen, resourceJson(seen.resource))) };
  });
  return { generations, once };
}

/** The key by which a request is done once. It belongs to its caller and to what is asked for. */
function onceOf(exchange: Exchange, text: string, answer: Once["answer"]): Once | undefined {
  const key = exchange.headers.get("idempotency-key");
  if (key === undefined) return undefined;
  if (key === "" || key.length > ONCE_KEY_MAX) {
    const message = `the key must have 1 to ${ONCE_KEY_MAX} characters`;
    throw invalid([{ field: "Idempotency-Key", message, constraint: key === "" ? "min" : "max" }]);
  }
  const { caller, method, path, headers } = exchange;
  const parts = [caller.identity, canonicalJson(caller.tenancy), `${method} ${path}`, key];
  return { key: digest(parts.join("\n")), request: digest(`${headers.get("if-match") ?? ""}\n${text}`), answer };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function kept(seen: Seen, json: JsonValue): Pick<KeptAnswer, "headers" | "body"> {
  return { headers: headersOf(seen), body: stringifyJson(json) };
}

function headersOf(seen: Seen): Readonly<Record<string, string>> {
  return { etag: etagOf(seen) };
}

function answerOf(done: Done<Seen>, status: 200 | 201 | 202 | 204): Answer {
  if (done.kind === "done") {
    if (status === 204) return { status };
    return jsonAnswer(resourceJson(done.result.resource), status, headersOf(done.result));
  }
  const { answer } = done;
  const headers = { ...answer.headers, "idempotency-replayed": "true" };
  if (answer.body === "") return { status: answer.status, headers };
  return { status: answer.status, headers, body: { kind: "text", text: answer.body, contentType: "application/json" } };
}
