import { apiVersionOf, isJsonObject, realClock, realRandom, silentLogger, StatusError } from "@levelset/core";
import type { JsonPatchOperation, JsonValue, Kind, NewOf, ObjectKey, ObjectOf } from "@levelset/core";
import type { ListWatch, Page, WatchEvent } from "../watch/index.ts";
import type { Applied } from "./applied.ts";
import { readObject, readPage, readScale } from "./answer.ts";
import type { Scale } from "./answer.ts";
import { exchangeJson, send } from "./exchange.ts";
import type { Exchange, Transport } from "./exchange.ts";
import { acceptOf } from "./metadata-only.ts";
import type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  ListOptions,
  Selection,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
import { collectionPath, objectPath } from "./path.ts";
import { waitForObject } from "./wait.ts";
import type { WaitOptions } from "./wait.ts";
import { watchEvents } from "./watch.ts";
import type { WriteObserver } from "./write-observer.ts";

/** What a client needs. */
export interface ClientOptions extends Transport {
  /** How this writer is called: the server records it beside each field. */
  readonly fieldManager: string;
  readonly observer?: WriteObserver;
}

/**
 * A client of one cluster, typed by kinds. It keeps nothing: every call is one request, and every answer is the server's. Nothing
 * is ever written twice: see `withRetries` for what is sent again.
 */
export class Client {
  readonly #transport: Transport;
  readonly #fieldManager: string;
  readonly #observer: WriteObserver | undefined;

  constructor(options: ClientOptions) {
    const { fieldManager, observer, ...transport } = options;
    this.#transport = transport;
    this.#observer = observer;
    this.#fieldManager = fieldManager;
  }

  /** The object; a StatusError with reason NotFound when there is none. */
  async get<K extends Kind>(kind: K, key: ObjectKey, options: CallOptions = {}): Promise<ObjectOf<K>> {
    const accept = acceptOf(kind, "object");
    return this.#object(kind, { method: "GET", path: objectPath(kind, key), accept, signal: options.signal });
  }

  /** One page of the objects that the selection names; the whole list when no limit is given. */
  async list<K extends Kind>(kind: K, options: ListOptions = {}): Promise<Page<ObjectOf<K>>> {
    const answer = await this.#json({
      method: "GET",
      path: collectionPath(kind, options.namespace),
      query: {
        ...selectionQuery(options),
        limit: options.limit?.toString(),
        continue: options.continue,
        resourceVersion: options.resourceVersion,
        resourceVersionMatch: options.resourceVersionMatch,
      },
      accept: acceptOf(kind, "list"),
      signal: options.signal,
    });
    return readPage<ObjectOf<K>>(kind, answer);
  }

  /** All objects that the selection names, page after page from one snapshot. */
  async *pages<K extends Kind>(
    kind: K,
    options: ListOptions & { readonly limit: number },
  ): AsyncGenerator<Page<ObjectOf<K>>, void, undefined> {
    for (let token = options.continue; ;) {
      const page = await this.list(kind, { ...options, continue: token });
      yield page;
      token = page.continue;
      if (token === undefined) return;
    }
  }

  /** The events after `resourceVersion`, until the server or the signal ends the stream. */
  async *watch<K extends Kind>(
    kind: K,
    options: WatchOptions,
  ): AsyncGenerator<WatchEvent<ObjectOf<K>>, void, undefined> {
    for await (const events of this.watchBatches(kind, options)) yield* events;
  }

  /** The same, but as many events at a time as arrived together: what a cache wants. */
  async *watchBatches<K extends Kind>(
    kind: K,
    options: WatchOptions,
  ): AsyncGenerator<readonly WatchEvent<ObjectOf<K>>[], void, undefined> {
    const answer = await send(this.#transport.fetch, {
      method: "GET",
      path: collectionPath(kind, options.namespace),
      query: {
        ...selectionQuery(options),
        watch: "true",
        allowWatchBookmarks: "true",
        resourceVersion: options.resourceVersion,
        timeoutSeconds: options.timeoutSeconds.toString(),
        ...(options.sendInitialEvents === true
          ? { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan" }
          : {}),
      },
      accept: acceptOf(kind, "object"),
      signal: options.signal,
    });
    options.onOpen?.();
    yield* watchEvents<K>(kind, answer, options.signal);
  }

  /** The requests by which objects of a kind are followed; see `Reflector`. */
  listWatch<K extends Kind>(kind: K): ListWatch<ObjectOf<K>> {
    return {
      kind: kind.kind,
      list: (options) => this.list(kind, options),
      watch: (options) => this.watchBatches(kind, options),
    };
  }

  /**
   * Waits until an object is ready for its latest generation; see `WaitOptions` for other goals. It reads the object once and then watches
   * it: it never polls, and a status about another generation never counts. Resolves with the object as it was then. Rejects with a
   * `WaitError` when the object has failed or is deleted, and with the reason of the signal.
   */
  waitUntilReady<K extends Kind>(
    kind: K,
    key: ObjectKey,
    options?: WaitOptions<ObjectOf<K>> & { readonly for?: "ready" | "available" },
  ): Promise<ObjectOf<K>>;
  waitUntilReady<K extends Kind>(
    kind: K,
    key: ObjectKey,
    options: WaitOptions<ObjectOf<K>>,
  ): Promise<ObjectOf<K> | undefined>;
  async waitUntilReady<K extends Kind>(
    kind: K,
    key: ObjectKey,
    options: WaitOptions<ObjectOf<K>> = {},
  ): Promise<ObjectOf<K> | undefined> {
    const { clock, random } = this.#transport.retry ?? { clock: realClock, random: realRandom };
    const world = { clock, random, logger: silentLogger };
    return waitForObject({ kind, key, source: this.listWatch(kind) }, options, world);
  }

  /** Creates the object. */
  async create<K extends Kind>(kind: K, object: NewOf<K>, options: WriteOptions = {}): Promise<ObjectOf<K>> {
    return this.#write(kind, options, {
      method: "POST",
      path: collectionPath(kind, object.metadata.namespace),
      body: { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object },
    });
  }

  /** Replaces the object. Its resourceVersion must be the latest, else the answer is Conflict. */
  async update<K extends Kind>(kind: K, object: ObjectOf<K>, options: WriteOptions = {}): Promise<ObjectOf<K>> {
    const { namespace, name } = object.metadata;
    const key = namespace === undefined ? { name } : { namespace, name };
    return this.#write(kind, options, {
      method: "PUT",
      path: objectPath(kind, key, options.subresource),
      body: object,
    });
  }

  /**
   * Server-side apply: the object has these fields, and this writer owns them. Fields that it applied before and leaves out now
   * are removed. Another owner's field is a Conflict, unless forced.
   */
  async apply<K extends Kind>(kind: K, object: Applied<K>, options: ApplyOptions = {}): Promise<ObjectOf<K>> {
    // Applied keeps the metadata that every object has.
    const { namespace, name } = object.metadata as ObjectKey;
    const key = namespace === undefined ? { name } : { namespace, name };
    return this.#patch(kind, key, { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object }, options, {
      contentType: "application/apply-patch+yaml",
      query: { force: options.force === true ? "true" : undefined },
    });
  }

  /** Merges a patch into the object (RFC 7386): objects are merged, lists replaced, null removes. */
  async mergePatch<K extends Kind>(
    kind: K,
    key: ObjectKey,
    patch: unknown,
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    return this.#patch(kind, key, patch, options, { contentType: "application/merge-patch+json" });
  }

  /** Merges a patch with lists merged by their keys. Only for built-in kinds: others are refused with UnsupportedMediaType. */
  async strategicPatch<K extends Kind>(
    kind: K,
    key: ObjectKey,
    patch: unknown,
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    return this.#patch(kind, key, patch, options, { contentType: "application/strategic-merge-patch+json" });
  }

  /** Applies operations in order, all or none (RFC 6902). A failed `test` is refused with reason Invalid. */
  async jsonPatch<K extends Kind>(
    kind: K,
    key: ObjectKey,
    operations: readonly JsonPatchOperation[],
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    return this.#patch(kind, key, operations, options, { contentType: "application/json-patch+json" });
  }

  /** Asks for deletion. The object may stay until its finalizers are gone. */
  async delete(kind: Kind, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const answer = await this.#watched(kind, options.dryRun, {
      method: "DELETE",
      path: objectPath(kind, key),
      body: deleteBody(options),
      signal: options.signal,
      retryThrottled: options.retryThrottled,
    });
    if (options.dryRun === true) return;
    const uid = deletedUid(answer);
    if (uid === undefined) this.#observer?.written(kind, readObject(kind, answer));
    else this.#observer?.deleted(kind, key, uid);
  }

  /** Asks for deletion of all objects that the selection names. */
  async deleteCollection(kind: Kind, options: DeleteCollectionOptions): Promise<void> {
    await this.#watched(kind, options.dryRun, {
      method: "DELETE",
      path: collectionPath(kind, options.namespace),
      query: selectionQuery(options),
      body: deleteBody(options),
      signal: options.signal,
      retryThrottled: options.retryThrottled,
    });
  }

  /** How many replicas an object wants and has. */
  async scale(kind: Kind, key: ObjectKey, options: CallOptions = {}): Promise<Scale> {
    const path = objectPath(kind, key, "scale");
    return readScale(kind, await this.#json({ method: "GET", path, signal: options.signal }));
  }

  /** Asks for a number of replicas, whatever the kind calls them. */
  async setScale(kind: Kind, key: ObjectKey, replicas: number, options: CallOptions = {}): Promise<Scale> {
    const answer = await this.#json({
      method: "PATCH",
      path: objectPath(kind, key, "scale"),
      query: { fieldManager: this.#fieldManager },
      body: { spec: { replicas } },
      contentType: "application/merge-patch+json",
      signal: options.signal,
    });
    return readScale(kind, answer);
  }

  /** Posts to a subresource that only takes orders, `eviction` or `token`; answers with what the server says. */
  async post(
    kind: Kind,
    key: ObjectKey,
    subresource: string,
    body: unknown,
    options: CallOptions = {},
  ): Promise<JsonValue> {
    const path = `${objectPath(kind, key)}/${subresource}`;
    return this.#json({ method: "POST", path, body, signal: options.signal });
  }

  /** A document of the server by its path: `/version`, `/apis/apps/v1`. */
  async document(path: string, options: CallOptions = {}): Promise<JsonValue> {
    return this.#json({ method: "GET", path, signal: options.signal });
  }

  async #patch<K extends Kind>(
    kind: K,
    key: ObjectKey,
    body: unknown,
    options: WriteOptions,
    form: Pick<Exchange, "contentType" | "query">,
  ): Promise<ObjectOf<K>> {
    const path = objectPath(kind, key, options.subresource);
    return this.#write(kind, options, { method: "PATCH", path, body, ...form });
  }

  async #write<K extends Kind>(kind: K, options: WriteOptions, exchange: Exchange): Promise<ObjectOf<K>> {
    const query = {
      ...exchange.query,
      fieldManager: options.fieldManager ?? this.#fieldManager,
      dryRun: options.dryRun === true ? "All" : undefined,
      fieldValidation: options.fieldValidation,
    };
    const accept = acceptOf(kind, "object");
    const answer = await this.#watched(kind, options.dryRun, { ...exchange, query, accept, signal: options.signal });
    const object = readObject<ObjectOf<K>>(kind, answer);
    if (options.dryRun !== true) this.#observer?.written(kind, object);
    return object;
  }

  /** A write. Its observer hears of it when nobody can say what became of it. */
  async #watched(kind: Kind, dryRun: boolean | undefined, exchange: Exchange): Promise<JsonValue> {
    try {
      return await this.#json(exchange);
    } catch (error) {
      if (dryRun !== true && isFateUnknown(error)) this.#observer?.unknown(kind);
      throw error;
    }
  }

  async #object<K extends Kind>(kind: K, exchange: Exchange): Promise<ObjectOf<K>> {
    return readObject<ObjectOf<K>>(kind, await this.#json(exchange));
  }

  async #json(exchange: Exchange): Promise<JsonValue> {
    return exchangeJson(this.#transport, exchange);
  }
}

function selectionQuery(selection: Selection): Readonly<Record<string, string | undefined>> {
  return { labelSelector: selection.labels, fieldSelector: selection.fields };
}

/** Whether a failed write may have happened all the same. An abort counts: the request may be on its way. */
function isFateUnknown(error: unknown): boolean {
  if (!(error instanceof StatusError)) return true;
  return error.code >= 500;
}

/** The uid of an object that is gone; undefined for the answer of one that waits for its finalizers. */
function deletedUid(answer: JsonValue): string | undefined {
  if (!isJsonObject(answer) || answer["kind"] !== "Status" || !isJsonObject(answer["details"])) return undefined;
  const { uid } = answer["details"];
  return typeof uid === "string" ? uid : "";
}

function deleteBody(options: DeleteOptions): unknown {
  const { uid, resourceVersion, propagation, graceSeconds, dryRun } = options;
  return {
    kind: "DeleteOptions",
    apiVersion: "v1",
    ...(uid === undefined && resourceVersion === undefined ? {} : { preconditions: { uid, resourceVersion } }),
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    ...(graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }),
    ...(dryRun === true ? { dryRun: ["All"] } : {}),
  };
}
