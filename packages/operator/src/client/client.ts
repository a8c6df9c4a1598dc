import { apiVersionOf, TransportError } from "@levelset/core";
import type {
  Fetch,
  JsonPatchOperation,
  JsonValue,
  Kind,
  KubeObject,
  NewOf,
  ObjectKey,
  ObjectOf,
} from "@levelset/core";
import { exchangeJson, send } from "./exchange.ts";
import type { Exchange } from "./exchange.ts";
import { collectionPath, objectPath } from "./path.ts";
import type { Subresource } from "./path.ts";
import { watchEvents } from "./watch.ts";
import type { WatchEvent } from "./watch.ts";

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of every write. */
export interface WriteOptions extends CallOptions {
  readonly subresource?: Subresource;
  /** The server checks and answers as if it had written, and does not. */
  readonly dryRun?: boolean;
  /** What the server does about unknown fields. Its own default: Warn. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
}

/** Which objects of a kind. All of them when empty. */
export interface Selection {
  readonly namespace?: string | undefined;
  /** A label selector, `app=shop,tier!=cache`. */
  readonly labels?: string | undefined;
  /** A field selector, `metadata.name=shop`. */
  readonly fields?: string | undefined;
}

/** One page of a list. */
export interface Page<O extends KubeObject> {
  readonly items: readonly O[];
  readonly resourceVersion: string;
  /** Asks for the next page; absent on the last. */
  readonly continue?: string;
}

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  /** Only this incarnation. */
  readonly uid?: string;
  /** Only this version. */
  readonly resourceVersion?: string;
  readonly propagation?: "Foreground" | "Background" | "Orphan";
}

/**
 * A client of one cluster, typed by kinds. It keeps nothing: every call is one request, and every answer is the server's.
 * Writers name themselves with `fieldManager`, which the server records beside each field.
 */
export class Client {
  readonly #fetch: Fetch;
  readonly #fieldManager: string;

  constructor(options: { readonly fetch: Fetch; readonly fieldManager: string }) {
    this.#fetch = options.fetch;
    this.#fieldManager = options.fieldManager;
  }

  /** The object; a StatusError with reason NotFound when there is none. */
  async get<K extends Kind>(kind: K, key: ObjectKey, options: CallOptions = {}): Promise<ObjectOf<K>> {
    return this.#object(kind, { method: "GET", path: objectPath(kind, key), signal: options.signal });
  }

  /** One page of the objects that the selection names; the whole list when no limit is given. */
  async list<K extends Kind>(
    kind: K,
    options: Selection & CallOptions & { readonly limit?: number; readonly continue?: string | undefined } = {},
  ): Promise<Page<ObjectOf<K>>> {
    const answer = await exchangeJson(this.#fetch, {
      method: "GET",
      path: collectionPath(kind, options.namespace),
      query: {
        ...selectionQuery(options),
        limit: options.limit?.toString(),
        continue: options.continue,
      },
      signal: options.signal,
    });
    return readPage<ObjectOf<K>>(kind, answer);
  }

  /** The events after `resourceVersion`, until the server or the signal ends the stream. */
  async *watch<K extends Kind>(
    kind: K,
    options: Selection & CallOptions & { readonly resourceVersion: string; readonly timeoutSeconds: number },
  ): AsyncGenerator<WatchEvent<ObjectOf<K>>, void, undefined> {
    const response = await send(this.#fetch, {
      method: "GET",
      path: collectionPath(kind, options.namespace),
      query: {
        ...selectionQuery(options),
        watch: "true",
        allowWatchBookmarks: "true",
        resourceVersion: options.resourceVersion,
        timeoutSeconds: options.timeoutSeconds.toString(),
      },
      signal: options.signal,
    });
    yield* watchEvents<ObjectOf<K>>(response, options.signal);
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

  /** Merges a patch into the object (RFC 7386): objects are merged, lists replaced, null removes. */
  async mergePatch<K extends Kind>(
    kind: K,
    key: ObjectKey,
    patch: unknown,
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    return this.#write(kind, options, {
      method: "PATCH",
      path: objectPath(kind, key, options.subresource),
      body: patch,
      contentType: "application/merge-patch+json",
    });
  }

  /** Applies operations in order, all or none (RFC 6902). A failed `test` is refused with reason Invalid. */
  async jsonPatch<K extends Kind>(
    kind: K,
    key: ObjectKey,
    operations: readonly JsonPatchOperation[],
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    return this.#write(kind, options, {
      method: "PATCH",
      path: objectPath(kind, key, options.subresource),
      body: operations,
      contentType: "application/json-patch+json",
    });
  }

  /** Asks for deletion. The object may stay until its finalizers are gone. */
  async delete(kind: Kind, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const { uid, resourceVersion, propagation } = options;
    await exchangeJson(this.#fetch, {
      method: "DELETE",
      path: objectPath(kind, key),
      body: {
        kind: "DeleteOptions",
        apiVersion: "v1",
        ...(uid === undefined && resourceVersion === undefined ? {} : { preconditions: { uid, resourceVersion } }),
        ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
      },
      signal: options.signal,
    });
  }

  async #write<K extends Kind>(kind: K, options: WriteOptions, exchange: Exchange): Promise<ObjectOf<K>> {
    const query = {
      fieldManager: this.#fieldManager,
      dryRun: options.dryRun === true ? "All" : undefined,
      fieldValidation: options.fieldValidation,
    };
    return this.#object(kind, { ...exchange, query, signal: options.signal });
  }

  async #object<K extends Kind>(kind: K, exchange: Exchange): Promise<ObjectOf<K>> {
    return readObject<ObjectOf<K>>(kind, await exchangeJson(this.#fetch, exchange));
  }
}

function selectionQuery(selection: Selection): Readonly<Record<string, string | undefined>> {
  return { labelSelector: selection.labels, fieldSelector: selection.fields };
}

function readObject<O extends KubeObject>(kind: Kind, answer: JsonValue): O {
  const { metadata } = asRecord(answer);
  // Not the resourceVersion: the answer to a dry run of a create has none.
  if (typeof asRecord(metadata)["name"] !== "string") {
    throw new TransportError(`the server's answer is not a ${kind.kind}`);
  }
  // The server has validated the rest against the kind's schema.
  return answer as unknown as O;
}

function readPage<O extends KubeObject>(kind: Kind, answer: JsonValue): Page<O> {
  const { items, metadata } = asRecord(answer);
  const { resourceVersion, continue: token } = asRecord(metadata);
  if (!Array.isArray(items) || typeof resourceVersion !== "string") {
    throw new TransportError(`the server's answer is not a list of ${kind.kind}`);
  }
  return {
    // Items of a list come without apiVersion and kind for built-in kinds.
    items: items.map((item) => ({ apiVersion: apiVersionOf(kind), kind: kind.kind, ...item }) as O),
    resourceVersion,
    ...(typeof token === "string" && token !== "" ? { continue: token } : {}),
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
