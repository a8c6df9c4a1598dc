import { InputError } from "@levelset/core";
import { randomUuid, textProblem } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";
import { sendFleetRequest } from "./fleet-request.ts";
import type { FleetRequest, HttpContext, FleetResponse } from "./fleet-request.ts";
import { isFleetApiError } from "./fleet-api-error.ts";
import { requireObject, PAGE_MAX, listItems, queryString } from "./pages.ts";
import type { FleetWatchEvent } from "./watch.ts";
import { watchResources } from "./watch.ts";
import { waitFor } from "./wait.ts";
import type { FleetWaitOptions } from "./wait.ts";
import type {
  NewWireResource,
  WireAdapterStatus,
  WireJournalEntry,
  WirePatch,
  WirePulse,
  WireReport,
  WireResource,
} from "./wire.ts";

/** The names of a kind in bodies and paths. */
export interface FleetKindNames {
  readonly kind: string;
  readonly plural: string;
  /** Lets the progress of a wait name the adapters that have not reported. */
  readonly requiredAdapters?: readonly string[];
}

/** Options of every call. */
export interface FleetCallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of writing calls. */
export interface FleetWriteOptions extends FleetCallOptions {
  /** A repeated request with the same key is executed once. Default: a new key for each call. */
  readonly idempotencyKey?: string;
}

/** Options of calls that change a resource. */
export interface FleetUpdateOptions extends FleetWriteOptions {
  /** The ETag that was read: refused as `stale` if the declaration has changed since. */
  readonly ifMatch?: string | undefined;
}

/** Selects resources and fields. */
export interface FleetListOptions extends FleetCallOptions {
  /** A search expression. */
  readonly search?: string | undefined;
  /** `name`, `created_time desc`, or several separated by commas. */
  readonly order?: string | undefined;
  /** Only these fields; the ID is always included. */
  readonly fields?: readonly string[] | undefined;
  /** The page size, up to 100. */
  readonly pageSize?: number | undefined;
}

/** Selects a part of a history. */
export interface HistoryOptions extends FleetCallOptions {
  readonly adapter?: string;
}

/** Selects resources to watch. */
export interface FleetWatchOptions extends FleetCallOptions {
  readonly search?: string | undefined;
  /** After how long without data the connection counts as dead. Default 60 s. */
  readonly idleMs?: number;
}

/** A resource with its ETag. */
export interface TaggedResource<Spec extends JsonObject = JsonObject> {
  readonly resource: WireResource<Spec>;
  /** For `ifMatch`; undefined from servers without ETags. */
  readonly etag: string | undefined;
}

/** The result of a report: stored as the adapter's status, or only recorded in the history. */
export type ReportOutcome = "kept" | "noted";

const IDLE_MS = 60_000;

/**
 * The resources of one kind: all of them, or the children of one parent. Methods reject with `FleetApiError` for an
 * error response and with `TransportError` if the server cannot be reached.
 */
export class FleetCollection<Spec extends JsonObject = JsonObject> {
  readonly #world: HttpContext;
  readonly #path: string;
  readonly kind: FleetKindNames;

  /** `path` is the path of the collection: `/api/hyperfleet/v1/clusters`. */
  constructor(world: HttpContext, path: string, kind: FleetKindNames) {
    this.#world = world;
    this.#path = path;
    this.kind = kind;
  }

  /** Creates a resource. Kinds with a parent are created below it. */
  async create(declared: NewWireResource<Spec>, options: FleetWriteOptions = {}): Promise<TaggedResource<Spec>> {
    const body = { kind: this.kind.kind, ...declared };
    return tagged(await this.#write({ method: "POST", path: this.#path, body }, options));
  }

  /** Returns one resource; rejects with `notFound` if it does not exist. */
  async get(
    id: string,
    options: FleetCallOptions & Pick<FleetListOptions, "fields"> = {},
  ): Promise<TaggedResource<Spec>> {
    const path = `${this.#at(id)}${queryString({ fields: options.fields?.join(",") })}`;
    return tagged(await this.#read(path, options));
  }

  /**
   * Yields all matching resources, page by page on demand. No resource is returned twice, despite concurrent changes.
   */
  list(options: FleetListOptions = {}): AsyncGenerator<WireResource<Spec>, void, undefined> {
    const { search, order, fields, pageSize = PAGE_MAX, signal } = options;
    const query = { search, order, fields: fields?.join(",") };
    const first = { after: "" };
    return listItems(this.#world, { path: this.#path, query, pageSize, first, cursor: "after", signal });
  }

  /** Returns the resources with a name: at most one, unless they have different parents or one is being deleted. */
  async findByName(name: string, options: FleetCallOptions = {}): Promise<readonly WireResource<Spec>[]> {
    const search = `name = '${name.replaceAll("'", "''")}'`;
    const found: WireResource<Spec>[] = [];
    for await (const resource of this.list({ ...options, search })) found.push(resource);
    return found;
  }

  /** Changes a declaration. */
  async patch(id: string, change: WirePatch<Spec>, options: FleetUpdateOptions = {}): Promise<TaggedResource<Spec>> {
    return tagged(await this.#write({ method: "PATCH", path: this.#at(id), body: change }, options));
  }

  /** Requests a deletion. The resource is removed once its adapters have finalized it and its children are removed. */
  async delete(id: string, options: FleetUpdateOptions = {}): Promise<TaggedResource<Spec>> {
    return tagged(await this.#write({ method: "DELETE", path: this.#at(id) }, options));
  }

  /**
   * Removes a resource that is being deleted, and all its descendants, without waiting for adapters. The reason is
   * recorded in the audit log.
   */
  async forceDelete(id: string, reason: string, options: FleetUpdateOptions = {}): Promise<void> {
    await this.#write({ method: "POST", path: `${this.#at(id)}/force-delete`, body: { reason } }, options);
  }

  /** Sends an adapter's report. Safe to repeat: the observation time identifies the report. */
  async report(id: string, report: WireReport, { signal }: FleetCallOptions = {}): Promise<ReportOutcome> {
    const request = { method: "PUT", path: `${this.#at(id)}/statuses`, body: report, signal } as const;
    return (await sendFleetRequest(this.#world, request)).status === 201 ? "kept" : "noted";
  }

  /** Yields the last report of each adapter. */
  statuses(id: string, { signal }: FleetCallOptions = {}): AsyncGenerator<WireAdapterStatus, void, undefined> {
    const path = `${this.#at(id)}/statuses`;
    return listItems(this.#world, { path, query: {}, pageSize: PAGE_MAX, first: {}, cursor: "after", signal });
  }

  /** Returns when a resource was last pulsed and when it is due next; undefined from servers without this endpoint. */
  async pulse(id: string, options: FleetCallOptions = {}): Promise<WirePulse | undefined> {
    try {
      // The API's own type.
      return requireObject((await this.#read(`${this.#at(id)}/pulse`, options)).json) as unknown as WirePulse;
    } catch (error) {
      if (isFleetApiError(error, "notFound")) return undefined;
      throw error;
    }
  }

  /** Yields the reports on a resource, newest first, including those without effect. */
  history(id: string, options: HistoryOptions = {}): AsyncGenerator<WireJournalEntry, void, undefined> {
    const { adapter, signal } = options;
    const path = `${this.#at(id)}/history`;
    return listItems(this.#world, {
      path,
      query: { adapter },
      pageSize: PAGE_MAX,
      first: {},
      cursor: "before",
      signal,
    });
  }

  /** Watches the resources until the caller stops iterating; see `FleetWatchEvent`. */
  watch(options: FleetWatchOptions = {}): AsyncGenerator<FleetWatchEvent<Spec>, void, undefined> {
    const { search, idleMs = IDLE_MS, signal } = options;
    const path = `${this.#path}${queryString({ watch: "true", search })}`;
    return watchResources<Spec>(this.#world, { path, idleMs, isSelective: search !== undefined, signal });
  }

  /**
   * Waits until Ready is True for the latest generation of a resource; see `FleetWaitOptions` for other goals. Resources of
   * kinds without required adapters are ready at once. Reads the resource once and then watches it; never polls.
   * Resolves with the resource in that state; for `deleted` with the last state that was read, undefined if it did not
   * exist at the first read. Rejects with `notFound` if the resource does not exist, with a `FleetWaitError` if it is
   * deleted, and with the reason of the signal. A failure of an adapter does not end the wait, because the adapter may
   * recover.
   */
  waitUntilReady(
    id: string,
    options?: FleetWaitOptions<Spec> & { readonly for?: "ready" | "available" },
  ): Promise<WireResource<Spec>>;
  waitUntilReady(id: string, options: FleetWaitOptions<Spec>): Promise<WireResource<Spec> | undefined>;
  async waitUntilReady(id: string, options: FleetWaitOptions<Spec> = {}): Promise<WireResource<Spec> | undefined> {
    const { for: goal = "ready", generation } = options;
    const { requiredAdapters } = this.kind;
    return (await waitFor(this, id, { goal, generation, requiredAdapters }, options))?.resource;
  }

  #at(id: string): string {
    const problem = textProblem(id);
    if (problem !== undefined) throw new InputError(`invalid ID ${JSON.stringify(id)}: ${problem}`);
    return `${this.#path}/${encodeURIComponent(id)}`;
  }

  #read(path: string, { signal }: FleetCallOptions): Promise<FleetResponse> {
    return sendFleetRequest(this.#world, { method: "GET", path, signal });
  }

  /** Sends a write with an idempotency key, so that it is executed once. */
  #write(request: Pick<FleetRequest, "method" | "path" | "body">, options: FleetUpdateOptions): Promise<FleetResponse> {
    const { idempotencyKey = randomUuid(this.#world.random), ifMatch, signal } = options;
    const headers = { "idempotency-key": idempotencyKey, ...(ifMatch === undefined ? {} : { "if-match": ifMatch }) };
    return sendFleetRequest(this.#world, { ...request, headers, signal });
  }
}

function tagged<Spec extends JsonObject>({ json, headers }: FleetResponse): TaggedResource<Spec> {
  // The API's own type; a client cannot repair a malformed response.
  return { resource: requireObject(json) as unknown as WireResource<Spec>, etag: headers.get("etag") ?? undefined };
}
