import { apiVersionOf, isDeleting, objectKeyOf, kindId } from "@levelset/core";
import type { Clock, Fetch, Kind, KubeObject, Logger, ObjectKey, Random } from "@levelset/core";
import { Client, isMetadataOnly } from "../client/index.ts";
import type { ObjectSelector, RequestThrottle, WriteObserver } from "../client/index.ts";
import type { WatchSeconds } from "../watch/index.ts";
import { Informer } from "./informer.ts";
import { matchesSelector } from "./matches-selector.ts";
import { SharedInformer } from "./shared-informer.ts";
import type { InformerHealth } from "./shared-informer.ts";

/** Options of {@link Cache}. */
export interface CacheOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Limits all requests of the cache and of its clients. */
  readonly throttle?: RequestThrottle;
  /** Maximum delay before a failed watch is retried. Default 30 s. */
  readonly retryMaxMs?: number;
  /** Requested duration of a watch. Default: five to ten minutes. */
  readonly watchSeconds?: WatchSeconds | undefined;
}

/** Options of {@link Cache.watch}. */
export interface InformerOptions extends Omit<ObjectSelector, "namespace"> {
  /** Only these namespaces. Absent: all. Ignored for cluster-scoped kinds. */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Whether the process works while the kind cannot be listed. The reader must read only while `phase` is `watching`;
   * in return, `waitConsistent` does not wait for it, so a failing list does not block other readers. Default false.
   */
  readonly isOptional?: boolean;
}

/**
 * Shared informers of a process: one watch per kind, namespace and selector, which runs while an open informer uses it.
 *
 * Guarantees read-your-writes for clients from `client`: a read returns their successful writes before the watch
 * delivers them. After a write with an unknown outcome, such as a lost response, `waitConsistent` waits for new lists.
 * Cached objects are frozen.
 *
 * Assumes that other writers are seen only through watches, so reads of their writes may be stale. Failed lists and
 * watches are retried with backoff and reported in `health`; they are not thrown.
 */
export class Cache implements WriteObserver {
  readonly #options: CacheOptions;
  readonly #reader: Client;
  readonly #shared = new Map<string, SharedInformer<Kind>>();
  /** Resolves at the next event that may make the cache consistent. */
  #changed = Promise.withResolvers<void>();

  constructor(options: CacheOptions) {
    this.#options = options;
    const { fetch, throttle } = options;
    this.#reader = new Client({ fetch, fieldManager: "levelset-cache", ...(throttle && { throttle }) });
  }

  /** Returns a client that reports its writes to this cache and to `also`. It retries requests as `Client` does. */
  client(fieldManager: string, also?: WriteObserver): Client {
    const { fetch, clock, random, logger, throttle } = this.#options;
    return new Client({
      fetch,
      ...(throttle && { throttle }),
      fieldManager,
      retry: { clock, random },
      observer: also === undefined ? this : bothOf(also, this),
      onWarning: (warning) => logger.warn("warning from the API server", { warning }),
    });
  }

  /**
   * Returns an informer for the objects of a kind, and starts the watches that do not run yet. Each watch runs until the
   * last informer that uses it is closed.
   */
  watch<K extends Kind>(kind: K, options: InformerOptions = {}): Informer<K> {
    const { namespaces, isOptional = false, ...selection } = options;
    const selections =
      namespaces === undefined || kind.scope === "Cluster"
        ? [selection]
        : [...new Set(namespaces)].map((namespace) => ({ ...selection, namespace }));
    const parts = selections.map((each) => this.#sharedInformer(kind, each));
    for (const part of parts) part.acquire(isOptional);
    return new Informer(kind, parts, () => this.#release(parts, isOptional));
  }

  /** Returns the shared informer of a kind and selection, and starts it if it does not run. */
  #sharedInformer<K extends Kind>(kind: K, selection: ObjectSelector): SharedInformer<K> {
    const id = idOf(kind, selection);
    // The id includes the kind and whether its objects are metadata-only.
    const running = this.#shared.get(id) as unknown as SharedInformer<K> | undefined;
    if (running !== undefined) return running;
    const { clock, random, logger, retryMaxMs, watchSeconds } = this.#options;
    const client = this.#reader;
    const shared = new SharedInformer({ client, kind, selection, clock, random, logger, retryMaxMs, watchSeconds });
    shared.subscribeHealth(() => this.#recheck());
    this.#shared.set(id, shared as unknown as SharedInformer<Kind>);
    return shared;
  }

  #release<K extends Kind>(parts: readonly SharedInformer<K>[], isOptional: boolean): void {
    for (const part of parts) {
      const id = idOf(part.kind, part.selection);
      if (part.release(isOptional) && this.#shared.get(id) === (part as unknown)) this.#shared.delete(id);
    }
    this.#recheck();
  }

  /** How long the server asks all requests to hold back. */
  get pauseLeftMs(): number {
    return this.#options.throttle?.pauseLeftMs ?? 0;
  }

  /** The health of every watch. */
  get health(): readonly InformerHealth[] {
    return [...this.#shared.values()].map(({ health }) => health);
  }

  onWrite(kind: Kind, object: KubeObject): void {
    for (const shared of this.#sharedOf(kind)) {
      const selected = matchesSelector(shared.selection, object);
      if (selected === undefined) shared.refresh();
      else if (!selected) shared.deselect(object);
      else if (!tookLastFinalizer(shared.get(objectKeyOf(object)), object)) {
        shared.observe(formOf(shared.kind, object));
      } else shared.forget(object);
    }
  }

  onDelete(kind: Kind, key: ObjectKey, uid: string): void {
    for (const shared of this.#sharedOf(kind)) {
      const known = shared.get(key);
      if (known?.metadata.uid === uid) shared.forget(known);
    }
  }

  onUnknownOutcome(kind: Kind): void {
    for (const shared of this.#sharedOf(kind)) shared.refresh();
  }

  /** Whether the informers that are not optional include the outcome of all our own writes. */
  get isConsistent(): boolean {
    for (const { isUncertain } of this.#shared.values()) if (isUncertain) return false;
    return true;
  }

  /**
   * Resolves when `isConsistent` is true: usually at once, or after new lists if the outcome of a write was unknown.
   */
  async waitConsistent(): Promise<void> {
    while (!this.isConsistent) await this.#changed.promise;
  }

  /** Relists every collection, as after a change of the server behind `fetch`. `waitConsistent` waits for the lists. */
  refresh(): void {
    for (const shared of this.#shared.values()) shared.refresh();
  }

  /** Stops all watches and resolves when they have ended. Informers must not be used afterwards. */
  async close(): Promise<void> {
    const all = [...this.#shared.values()];
    this.#shared.clear();
    for (const shared of all) shared.stop();
    this.#recheck();
    await Promise.all(all.map(({ ended }) => ended));
  }

  #recheck(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #sharedOf(kind: Kind): readonly SharedInformer<Kind>[] {
    const id = kindId(kind);
    return [...this.#shared.values()].filter(
      (shared) => kindId(shared.kind) === id && shared.kind.version === kind.version,
    );
  }
}

function bothOf(one: WriteObserver, other: WriteObserver): WriteObserver {
  return {
    onWrite: (kind, object) => {
      one.onWrite(kind, object);
      other.onWrite(kind, object);
    },
    onDelete: (kind, key, uid) => {
      one.onDelete(kind, key, uid);
      other.onDelete(kind, key, uid);
    },
    onUnknownOutcome: (kind) => {
      one.onUnknownOutcome(kind);
      other.onUnknownOutcome(kind);
    },
  };
}

function idOf(kind: Kind, selection: ObjectSelector): string {
  const { namespace, labels, fields } = selection;
  return JSON.stringify([apiVersionOf(kind), kind.plural, isMetadataOnly(kind), namespace, labels, fields]);
}

/** Returns an object as an informer of this kind stores it. */
function formOf(kind: Kind, object: KubeObject): KubeObject {
  const { apiVersion, kind: name, metadata } = object;
  return isMetadataOnly(kind) ? { apiVersion, kind: name, metadata } : object;
}

/**
 * Returns whether a write removed the last finalizer of a deleted object. The response then has the previous
 * resourceVersion, because the object is deleted instead of updated
 * (k8s.io/apiserver/pkg/registry/generic/registry/store.go, deleteWithoutFinalizers).
 */
function tookLastFinalizer(before: KubeObject | undefined, result: KubeObject): boolean {
  const isHeld = (object: KubeObject): boolean => (object.metadata.finalizers ?? []).length > 0;
  const isStored = before?.metadata.resourceVersion !== result.metadata.resourceVersion;
  return before !== undefined && !isStored && isDeleting(result) && isHeld(before) && !isHeld(result);
}
