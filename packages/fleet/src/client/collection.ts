import { InputError, randomUuid, textProblem } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { exchange } from "./exchange.ts";
import type { Ask, ExchangeWorld, Told } from "./exchange.ts";
import { isProblem } from "./problem.ts";
import { objectOf, PAGE_MAX, pages, queryText } from "./pages.ts";
import type { WatchEvent } from "./watch.ts";
import { watch } from "./watch.ts";
import { waitFor } from "./wait.ts";
import type { WaitOptions } from "./wait.ts";
import type {
  NewWireResource,
  WireAdapterStatus,
  WireJournalEntry,
  WirePatch,
  WirePulse,
  WireReport,
  WireResource,
} from "./wire.ts";

/** How a kind is called, in bodies and in paths. */
export interface KindNames {
  readonly kind: string;
  readonly plural: string;
  /** Lets the progress of a wait name the adapters that have not reported. */
  readonly requiredAdapters?: readonly string[];
}

/** What every call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What calls that write take. */
export interface WriteOptions extends CallOptions {
  /** The same key with the same request is done once, however often it is sent. Default: a new one for each call. */
  readonly idempotencyKey?: string;
}

/** What calls that change something take. */
export interface ChangeOptions extends WriteOptions {
  /** The tag under which it was read: refused as `stale` if its declaration has changed since. */
  readonly ifMatch?: string | undefined;
}

/** Which resources, and what of them. */
export interface ListOptions extends CallOptions {
  /** An expression of the search language. */
  readonly search?: string | undefined;
  /** `name`, `created_time desc`, several with commas. */
  readonly order?: string | undefined;
  /** Only these members; the id is always there. */
  readonly fields?: readonly string[] | undefined;
  /** How many are asked for at a time, up to 100. */
  readonly pageSize?: number | undefined;
}

/** Which part of a history. */
export interface HistoryOptions extends CallOptions {
  readonly adapter?: string;
}

/** What to watch. */
export interface WatchOptions extends CallOptions {
  readonly search?: string | undefined;
  /** After how long without a sign the connection is taken for dead. Default 60 s. */
  readonly idleMs?: number;
}

/** A resource and the tag of what was read. */
export interface Tagged<Spec extends JsonObject = JsonObject> {
  readonly resource: WireResource<Spec>;
  /** For `ifMatch`; undefined from servers that have none. */
  readonly tag: string | undefined;
}

/** What became of a report: kept as the adapter's state, or only noted in the history. */
export type ReportOutcome = "kept" | "noted";

const IDLE_MS = 60_000;

/** The resources of one kind: all of them, or the children of one parent. */
export class FleetCollection<Spec extends JsonObject = JsonObject> {
  readonly #world: ExchangeWorld;
  readonly #path: string;
  readonly kind: KindNames;

  /** `path` is where the collection is: `/api/hyperfleet/v1/clusters`. */
  constructor(world: ExchangeWorld, path: string, kind: KindNames) {
    this.#world = world;
    this.#path = path;
    this.kind = kind;
  }

  /** Declares a new resource. Kinds that have a parent are created below one. */
  async create(declared: NewWireResource<Spec>, options: WriteOptions = {}): Promise<Tagged<Spec>> {
    const body = { kind: this.kind.kind, ...declared };
    return tagged(await this.#write({ method: "POST", path: this.#path, body }, options));
  }

  /** Reads one resource; a `notFound` problem if there is none. */
  async get(id: string, options: CallOptions & Pick<ListOptions, "fields"> = {}): Promise<Tagged<Spec>> {
    const path = `${this.#at(id)}${queryText({ fields: options.fields?.join(",") })}`;
    return tagged(await this.#read(path, options));
  }

  /** All resources that match, page by page as they are asked for. None is given twice, however many come and go meanwhile. */
  list(options: ListOptions = {}): AsyncGenerator<WireResource<Spec>, void, undefined> {
    const { search, order, fields, pageSize = PAGE_MAX, signal } = options;
    const query = { search, order, fields: fields?.join(",") };
    const first = { after: "" };
    return pages(this.#world, { path: this.#path, query, pageSize, first, cursor: "after", signal });
  }

  /** The resources of a name: one at most, unless they have different parents or one is being deleted. */
  async named(name: string, options: CallOptions = {}): Promise<readonly WireResource<Spec>[]> {
    const search = `name = '${name.replaceAll("'", "''")}'`;
    const found: WireResource<Spec>[] = [];
    for await (const resource of this.list({ ...options, search })) found.push(resource);
    return found;
  }

  /** Changes a declaration. */
  async patch(id: string, change: WirePatch<Spec>, options: ChangeOptions = {}): Promise<Tagged<Spec>> {
    return tagged(await this.#write({ method: "PATCH", path: this.#at(id), body: change }, options));
  }

  /** Asks for a deletion. It is gone once its adapters have finalized it and its children are gone. */
  async delete(id: string, options: ChangeOptions = {}): Promise<Tagged<Spec>> {
    return tagged(await this.#write({ method: "DELETE", path: this.#at(id) }, options));
  }

  /** Removes a resource that is being deleted, and all below it, whatever its adapters say. The reason is kept in the audit. */
  async forceDelete(id: string, reason: string, options: ChangeOptions = {}): Promise<void> {
    await this.#write({ method: "POST", path: `${this.#at(id)}/force-delete`, body: { reason } }, options);
  }

  /** Reports an adapter's work. May be sent again: the time of the observation tells the same report. */
  async report(id: string, report: WireReport, { signal }: CallOptions = {}): Promise<ReportOutcome> {
    const ask = { method: "PUT", path: `${this.#at(id)}/statuses`, body: report, signal } as const;
    return (await exchange(this.#world, ask)).status === 201 ? "kept" : "noted";
  }

  /** What each adapter last reported. */
  statuses(id: string, { signal }: CallOptions = {}): AsyncGenerator<WireAdapterStatus, void, undefined> {
    const path = `${this.#at(id)}/statuses`;
    return pages(this.#world, { path, query: {}, pageSize: PAGE_MAX, first: {}, cursor: "after", signal });
  }

  /** When adapters were last asked about a resource, and when they are next; undefined from servers that do not tell. */
  async pulse(id: string, options: CallOptions = {}): Promise<WirePulse | undefined> {
    try {
      // The API's own shape.
      return objectOf((await this.#read(`${this.#at(id)}/pulse`, options)).json) as unknown as WirePulse;
    } catch (error) {
      if (isProblem(error, "notFound")) return undefined;
      throw error;
    }
  }

  /** The reports on a resource, the newest first, those that changed nothing among them. */
  history(id: string, options: HistoryOptions = {}): AsyncGenerator<WireJournalEntry, void, undefined> {
    const { adapter, signal } = options;
    const path = `${this.#at(id)}/history`;
    return pages(this.#world, { path, query: { adapter }, pageSize: PAGE_MAX, first: {}, cursor: "before", signal });
  }

  /** Follows the resources for as long as it is read from; see `WatchEvent`. */
  watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<Spec>, void, undefined> {
    const { search, idleMs = IDLE_MS, signal } = options;
    const path = `${this.#path}${queryText({ watch: "true", search })}`;
    return watch<Spec>(this.#world, { path, idleMs, isSelective: search !== undefined, signal });
  }

  /**
   * Waits until Ready is True for the latest generation of a resource; see `WaitOptions` for other goals. Resources of kinds without required
   * adapters are ready at once. It reads the resource once and then watches it: it never polls. Resolves with the resource as it was then;
   * for `deleted` with the last state that was read, undefined if it did not exist at the first read. Rejects with a `notFound` problem if
   * the resource does not exist, with a `WaitError` if it is deleted, and with the reason of the signal. A failure of an adapter does not end
   * the wait, because the adapter may recover.
   */
  waitUntilReady(
    id: string,
    options?: WaitOptions<Spec> & { readonly for?: "ready" | "available" },
  ): Promise<WireResource<Spec>>;
  waitUntilReady(id: string, options: WaitOptions<Spec>): Promise<WireResource<Spec> | undefined>;
  async waitUntilReady(id: string, options: WaitOptions<Spec> = {}): Promise<WireResource<Spec> | undefined> {
    const { for: goal = "ready", generation } = options;
    const { requiredAdapters } = this.kind;
    return (await waitFor(this, id, { goal, generation, requiredAdapters }, options))?.resource;
  }

  #at(id: string): string {
    const problem = textProblem(id);
    if (problem !== undefined) throw new InputError(`the id ${JSON.stringify(id)} ${problem}`);
    return `${this.#path}/${encodeURIComponent(id)}`;
  }

  #read(path: string, { signal }: CallOptions): Promise<Told> {
    return exchange(this.#world, { method: "GET", path, signal });
  }

  /** Writes once, however often it is sent: by its key. */
  #write(ask: Pick<Ask, "method" | "path" | "body">, options: ChangeOptions): Promise<Told> {
    const { idempotencyKey = randomUuid(this.#world.random), ifMatch, signal } = options;
    const headers = { "idempotency-key": idempotencyKey, ...(ifMatch === undefined ? {} : { "if-match": ifMatch }) };
    return exchange(this.#world, { ...ask, headers, signal });
  }
}

function tagged<Spec extends JsonObject>({ json, headers }: Told): Tagged<Spec> {
  // The API's own shape; what it is not, no client could make up for.
  return { resource: objectOf(json) as unknown as WireResource<Spec>, tag: headers.get("etag") ?? undefined };
}
