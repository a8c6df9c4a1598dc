import { apiVersionOf, isDeleting, objectKeyOf, kindId } from "@levelset/core";
import type { Clock, Fetch, Kind, KubeObject, Logger, ObjectKey, Random } from "@levelset/core";
import { Client, isMetadataOnly } from "../client/index.ts";
import type { ObjectSelector, WriteObserver } from "../client/index.ts";
import { InformerHandle } from "./informer-handle.ts";
import { Informer } from "./informer.ts";
import type { InformerHealth } from "./informer.ts";
import { matchesSelector } from "./matches-selector.ts";
import { watchPhase } from "./watch-failure.ts";
import type { WatchPhase } from "./watch-failure.ts";

/** Options of {@link Cache}. */
export interface CacheOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Maximum delay before a failed watch is retried. Default 30 s. */
  readonly retryMaxMs?: number;
}

/** Health of an informer, and whether it is optional. */
export interface CacheHealth extends InformerHealth {
  readonly isOptional: boolean;
  /** Whether its objects can be read. */
  readonly phase: WatchPhase;
}

interface Shared {
  readonly informer: Informer<Kind>;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  handles: number;
  /** Number of handles that are not optional. */
  required: number;
}

/**
 * Shared informers of a process: one watch per kind and selector, which runs while it has an open handle.
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
  readonly #shared = new Map<string, Shared>();
  readonly #uncertain = new Map<Informer<Kind>, Promise<void>>();

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#reader = new Client({ fetch: options.fetch, fieldManager: "levelset-cache" });
  }

  /** Returns a client that reports its writes to this cache and to `also`. It retries requests as `Client` does. */
  client(fieldManager: string, also?: WriteObserver): Client {
    const { fetch, clock, random, logger } = this.#options;
    return new Client({
      fetch,
      fieldManager,
      retry: { clock, random },
      observer: also === undefined ? this : bothOf(also, this),
      onWarning: (warning) => logger.warn("warning from the API server", { warning }),
    });
  }

  /**
   * Returns a handle on the informer of a kind and selector, and starts the informer if needed. The watch runs until
   * its last handle is closed. A reader with `isOptional` must read only while `phase` is `watching`; in return,
   * `waitConsistent` does not wait for this informer, so a failing list does not block other readers.
   */
  watch<K extends Kind>(
    kind: K,
    selection: ObjectSelector = {},
    { isOptional = false }: { readonly isOptional?: boolean } = {},
  ): InformerHandle<K> {
    const id = idOf(kind, selection);
    const shared = this.#shared.get(id) ?? this.#start(id, kind, selection);
    shared.handles++;
    if (!isOptional) shared.required++;
    const onClose = (): void => {
      shared.handles--;
      if (!isOptional) shared.required--;
      if (shared.handles > 0) return;
      this.#shared.delete(id);
      shared.stop.abort();
    };
    // The id includes the kind and whether its objects are metadata-only.
    return new InformerHandle(shared.informer as unknown as Informer<K>, onClose);
  }

  #start(id: string, kind: Kind, selection: ObjectSelector): Shared {
    const { clock, random, logger, retryMaxMs } = this.#options;
    const informer = new Informer<Kind>({ client: this.#reader, kind, selection, clock, random, logger, retryMaxMs });
    const stop = new AbortController();
    const shared = { informer, stop, ended: informer.run(stop.signal), handles: 0, required: 0 };
    this.#shared.set(id, shared);
    return shared;
  }

  /** The health of every informer. */
  get health(): readonly CacheHealth[] {
    return [...this.#shared.values()].map(({ informer, required }) => {
      const { health, kind } = informer;
      return { ...health, isOptional: required === 0, phase: watchPhase(kind, health) };
    });
  }

  onWrite(kind: Kind, object: KubeObject): void {
    for (const shared of this.#sharedOf(kind)) {
      const { informer } = shared;
      const selected = matchesSelector(informer.selection, object);
      if (selected === undefined) this.#relist(shared);
      else if (selected && !tookLastFinalizer(informer.get(objectKeyOf(object)), object)) {
        informer.observe(formOf(informer.kind, object));
      } else informer.forget(object);
    }
  }

  onDelete(kind: Kind, key: ObjectKey, uid: string): void {
    for (const { informer } of this.#sharedOf(kind)) {
      const known = informer.get(key);
      if (known?.metadata.uid === uid) informer.forget(known);
    }
  }

  onUnknownOutcome(kind: Kind): void {
    for (const shared of this.#sharedOf(kind)) this.#relist(shared);
  }

  /** Whether the required informers include the outcome of all our own writes. */
  get isConsistent(): boolean {
    return this.#uncertain.size === 0;
  }

  /**
   * Resolves when `isConsistent` is true: usually at once, or after new lists if the outcome of a write was unknown.
   */
  async waitConsistent(): Promise<void> {
    while (!this.isConsistent) await Promise.all(this.#uncertain.values());
  }

  /** Relists every informer, as after a change of the server behind `fetch`. `waitConsistent` waits for the lists. */
  refresh(): void {
    for (const shared of this.#shared.values()) this.#relist(shared);
  }

  /** Stops all watches and resolves when they have ended. Handles must not be used afterwards. */
  async close(): Promise<void> {
    const shared = [...this.#shared.values()];
    this.#shared.clear();
    for (const { stop } of shared) stop.abort();
    await Promise.all(shared.map(({ ended }) => ended));
  }

  #relist({ informer, required }: Shared): void {
    const list = informer.refresh();
    // Optional readers check the phase; a rejected list must not block every worker of the process.
    if (required === 0) return;
    const refreshed = list.finally(() => {
      // A later relist has its own promise in the map.
      if (this.#uncertain.get(informer) === refreshed) this.#uncertain.delete(informer);
    });
    this.#uncertain.set(informer, refreshed);
  }

  #sharedOf(kind: Kind): readonly Shared[] {
    const id = kindId(kind);
    return [...this.#shared.values()].filter(
      ({ informer }) => kindId(informer.kind) === id && informer.kind.version === kind.version,
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
