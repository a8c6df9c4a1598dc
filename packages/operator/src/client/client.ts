import { apiVersionOf, isJsonObject, realClock, realRandom, silentLogger, StatusError } from "@levelset/core";
import { PATCH_TYPES } from "@levelset/core/internal";
import type { JsonValue, Kind, NewOf, ObjectKey, ObjectOf } from "@levelset/core";
import type { JsonPatchOperation } from "@levelset/core/apply";
import type { ListWatch, ListPage, WatchEvent } from "../watch/index.ts";
import type { ApplyConfiguration } from "./apply-configuration.ts";
import { objectFromResponse, pageFromResponse, scaleFromResponse } from "./response-object.ts";
import type { ScaleCounts } from "./response-object.ts";
import { requestJson, sendRequest } from "./kube-request.ts";
import type { KubeRequest, HttpTransport } from "./kube-request.ts";
import { acceptOf } from "./metadata-only.ts";
import type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  ListOptions,
  ObjectSelector,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
import { collectionPath, objectPath } from "./path.ts";
import { waitForObject } from "./wait/wait.ts";
import type { WaitOptions } from "./wait/wait.ts";
import { watchEvents } from "./watch.ts";
import type { WriteObserver } from "./write-observer.ts";

/** Options of {@link Client}. */
export interface ClientOptions extends HttpTransport {
  /** The field manager of all writes, recorded in managedFields. */
  readonly fieldManager: string;
  readonly observer?: WriteObserver;
}

/**
 * A client of one cluster, typed by kinds. It has no cache: every call sends a request.
 *
 * Guarantees: a write with an unknown outcome is never sent again; see `withRetries`. Errors never contain request
 * bodies.
 *
 * All methods reject with a `StatusError` if the server rejects the request, with a `TransportError` if no valid
 * response arrives, and with an abort error if the signal aborts. A name that cannot be an object name is rejected
 * before a request is sent. After a `TransportError`, an abort or a 5xx status, a write may have happened.
 */
export class Client {
  readonly #transport: HttpTransport;
  readonly #fieldManager: string;
  readonly #observer: WriteObserver | undefined;

  constructor(options: ClientOptions) {
    const { fieldManager, observer, ...transport } = options;
    this.#transport = transport;
    this.#observer = observer;
    this.#fieldManager = fieldManager;
  }

  /** The field manager of all writes. */
  get fieldManager(): string {
    return this.#fieldManager;
  }

  /**
   * Returns a client that sends its requests as another user, `system:serviceaccount:NAMESPACE:NAME` for a service
   * account. The server adds the groups of a service account. Both clients share the connections and the observer. The
   * user of the credentials needs the verb `impersonate`; otherwise all requests are rejected with Forbidden.
   */
  as(impersonateUser: string): Client {
    const [fieldManager, observer] = [this.#fieldManager, this.#observer];
    const options = { ...this.#transport, fieldManager, impersonateUser };
    return new Client(observer === undefined ? options : { ...options, observer });
  }

  /** Reads an object. Rejects with a NotFound `StatusError` if it does not exist. */
  async get<K extends Kind>(kind: K, key: ObjectKey, options: CallOptions = {}): Promise<ObjectOf<K>> {
    const accept = acceptOf(kind, "object");
    return this.#object(kind, { method: "GET", path: objectPath(kind, key), accept, signal: options.signal });
  }

  /**
   * Reads one page of the selected objects, or the whole list without a limit. Rejects with Expired for an old continue
   * token.
   */
  async list<K extends Kind>(kind: K, options: ListOptions = {}): Promise<ListPage<ObjectOf<K>>> {
    const response = await this.#json({
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
    return pageFromResponse<ObjectOf<K>>(kind, response);
  }

  /**
   * Yields all selected objects page by page, from one consistent snapshot. Rejects with Expired if the snapshot is
   * compacted.
   */
  async *pages<K extends Kind>(
    kind: K,
    options: ListOptions & { readonly limit: number },
  ): AsyncGenerator<ListPage<ObjectOf<K>>, void, undefined> {
    for (let token = options.continue; ;) {
      const page = await this.list(kind, { ...options, continue: token });
      yield page;
      token = page.continue;
      if (token === undefined) return;
    }
  }

  /**
   * Yields the events after `resourceVersion` until the server or the signal ends the stream. Rejects as `watchEvents`
   * does.
   */
  async *watch<K extends Kind>(
    kind: K,
    options: WatchOptions,
  ): AsyncGenerator<WatchEvent<ObjectOf<K>>, void, undefined> {
    for await (const events of this.watchBatches(kind, options)) yield* events;
  }

  /** Like `watch`, but yields all events of one network chunk together. */
  async *watchBatches<K extends Kind>(
    kind: K,
    options: WatchOptions,
  ): AsyncGenerator<readonly WatchEvent<ObjectOf<K>>[], void, undefined> {
    const response = await sendRequest(this.#transport, {
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
      onSend: options.onSend,
    });
    options.onOpen?.();
    yield* watchEvents<K>(kind, response, options.signal);
  }

  /** Returns the list and watch requests of a kind, for code that runs both itself. */
  listWatch<K extends Kind>(kind: K): ListWatch<ObjectOf<K>> {
    return {
      kind: kind.kind,
      list: (options) => this.list(kind, options),
      watch: (options) => this.watchBatches(kind, options),
    };
  }

  /**
   * Waits until an object is ready for its latest generation; see `WaitOptions` for other goals. It reads the object
   * once and then watches it: it never polls, and a status about another generation never counts. Resolves with the
   * object as it was then. Rejects with a `WaitError` when the object has failed or is deleted, and with the reason of
   * the signal.
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

  /** Creates the object. Rejects with AlreadyExists if the name is taken, and with Invalid for an invalid object. */
  async create<K extends Kind>(kind: K, object: NewOf<K>, options: WriteOptions = {}): Promise<ObjectOf<K>> {
    return this.#write(kind, options, {
      method: "POST",
      path: collectionPath(kind, object.metadata.namespace),
      body: { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object },
    });
  }

  /** Replaces the object. Rejects with Conflict unless its resourceVersion is the latest. */
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
   * Server-side apply: sets these fields and makes this field manager their owner. Fields that it applied earlier and
   * omits now are removed. Rejects with Conflict if another manager owns a field with another value, unless forced
   * (docs: Server-Side Apply).
   */
  async apply<K extends Kind>(
    kind: K,
    object: ApplyConfiguration<K>,
    options: ApplyOptions = {},
  ): Promise<ObjectOf<K>> {
    // ApplyConfiguration requires the name.
    const { namespace, name } = object.metadata as ObjectKey;
    const key = namespace === undefined ? { name } : { namespace, name };
    return this.#patch(kind, key, { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object }, options, {
      contentType: PATCH_TYPES.apply,
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
    return this.#patch(kind, key, patch, options, { contentType: PATCH_TYPES.merge });
  }

  /** Applies a strategic merge patch. Only for built-in kinds: custom kinds are rejected with UnsupportedMediaType. */
  async strategicPatch<K extends Kind>(
    kind: K,
    key: ObjectKey,
    patch: unknown,
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    return this.#patch(kind, key, patch, options, { contentType: PATCH_TYPES.strategic });
  }

  /** Applies JSON patch operations atomically (RFC 6902). Rejects with Invalid if a `test` fails. */
  async jsonPatch<K extends Kind>(
    kind: K,
    key: ObjectKey,
    operations: readonly JsonPatchOperation[],
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    return this.#patch(kind, key, operations, options, { contentType: PATCH_TYPES.json });
  }

  /**
   * Requests deletion. The object exists until its finalizers are removed. Rejects with Conflict if a precondition
   * fails.
   */
  async delete(kind: Kind, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const response = await this.#watched(kind, options.dryRun, {
      method: "DELETE",
      path: objectPath(kind, key),
      body: deleteBody(options),
      signal: options.signal,
      retryThrottled: options.retryThrottled,
    });
    if (options.dryRun === true) return;
    const uid = deletedUid(response);
    if (uid === undefined) this.#observer?.onWrite(kind, objectFromResponse(kind, response));
    else this.#observer?.onDelete(kind, key, uid);
  }

  /** Requests deletion of all selected objects. Not atomic: some may be deleted when it rejects. */
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

  /** Reads the scale subresource: desired and actual replicas. */
  async scale(kind: Kind, key: ObjectKey, options: CallOptions = {}): Promise<ScaleCounts> {
    const path = objectPath(kind, key, "scale");
    return scaleFromResponse(kind, await this.#json({ method: "GET", path, signal: options.signal }));
  }

  /** Sets the desired number of replicas with the scale subresource. */
  async setScale(kind: Kind, key: ObjectKey, replicas: number, options: CallOptions = {}): Promise<ScaleCounts> {
    const response = await this.#json({
      method: "PATCH",
      path: objectPath(kind, key, "scale"),
      query: { fieldManager: this.#fieldManager },
      body: { spec: { replicas } },
      contentType: PATCH_TYPES.merge,
      signal: options.signal,
    });
    return scaleFromResponse(kind, response);
  }

  /** Posts to a create-only subresource, `eviction` or `token`, and returns the response. */
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

  /** Reads a JSON document of the server by path: `/version`, `/apis/apps/v1`. */
  async getRaw(path: string, options: CallOptions = {}): Promise<JsonValue> {
    return this.#json({ method: "GET", path, signal: options.signal });
  }

  async #patch<K extends Kind>(
    kind: K,
    key: ObjectKey,
    body: unknown,
    options: WriteOptions,
    form: Pick<KubeRequest, "contentType" | "query">,
  ): Promise<ObjectOf<K>> {
    const path = objectPath(kind, key, options.subresource);
    return this.#write(kind, options, { method: "PATCH", path, body, ...form });
  }

  async #write<K extends Kind>(kind: K, options: WriteOptions, request: KubeRequest): Promise<ObjectOf<K>> {
    const query = {
      ...request.query,
      fieldManager: options.fieldManager ?? this.#fieldManager,
      dryRun: options.dryRun === true ? "All" : undefined,
      fieldValidation: options.fieldValidation,
    };
    const accept = acceptOf(kind, "object");
    const response = await this.#watched(kind, options.dryRun, { ...request, query, accept, signal: options.signal });
    const object = objectFromResponse<ObjectOf<K>>(kind, response);
    if (options.dryRun !== true) this.#observer?.onWrite(kind, object);
    return object;
  }

  /** Sends a write. Notifies the observer if its outcome is unknown. */
  async #watched(kind: Kind, dryRun: boolean | undefined, request: KubeRequest): Promise<JsonValue> {
    try {
      return await this.#json(request);
    } catch (error) {
      if (dryRun !== true && isOutcomeUnknown(error)) this.#observer?.onUnknownOutcome(kind);
      throw error;
    }
  }

  async #object<K extends Kind>(kind: K, request: KubeRequest): Promise<ObjectOf<K>> {
    return objectFromResponse<ObjectOf<K>>(kind, await this.#json(request));
  }

  async #json(request: KubeRequest): Promise<JsonValue> {
    return requestJson(this.#transport, request);
  }
}

function selectionQuery(selection: ObjectSelector): Readonly<Record<string, string | undefined>> {
  return { labelSelector: selection.labels, fieldSelector: selection.fields };
}

/** Returns whether a failed write may still have happened. This includes aborts: the request may already be sent. */
function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof StatusError)) return true;
  return error.code >= 500;
}

/** Returns the UID of a deleted object, or undefined if the object still waits for its finalizers. */
function deletedUid(response: JsonValue): string | undefined {
  if (!isJsonObject(response) || response["kind"] !== "Status" || !isJsonObject(response["details"])) return undefined;
  const { uid } = response["details"];
  return typeof uid === "string" ? uid : "";
}

function deleteBody(options: DeleteOptions): unknown {
  const { uid, resourceVersion, propagationPolicy, gracePeriodSeconds, dryRun } = options;
  return {
    kind: "DeleteOptions",
    apiVersion: "v1",
    ...(uid === undefined && resourceVersion === undefined ? {} : { preconditions: { uid, resourceVersion } }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(dryRun === true ? { dryRun: ["All"] } : {}),
  };
}
