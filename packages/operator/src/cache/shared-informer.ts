import type { Clock, Kind, KubeObject, Logger, ManagedFieldsEntry, ObjectKey, ObjectOf, Random } from "@levelset/core";
import type { Client, ObjectSelector } from "../client/index.ts";
import { Reflector, stripManagedFields } from "../watch/index.ts";
import type { ReflectedChange, ReflectorHealth, WatchSeconds } from "../watch/index.ts";
import type { IndexFunction } from "./object-index.ts";
import { ObjectStore } from "./object-store.ts";
import type { ObjectChange } from "./object-store.ts";
import { watchPhase } from "./watch-failure.ts";
import type { WatchPhase } from "./watch-failure.ts";

/** Options of {@link SharedInformer}. */
export interface SharedInformerOptions<K extends Kind> {
  readonly client: Client;
  readonly kind: K;
  readonly selection: ObjectSelector;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Maximum delay between retries. Default 30 s. */
  readonly retryMaxMs?: number | undefined;
  /** Requested duration of a watch. Default: five to ten minutes. */
  readonly watchSeconds?: WatchSeconds | undefined;
}

/** Where a change comes from: the first list, a list after lost events, or the watch. */
export type ChangeOrigin = "initial" | "relist" | "live";

/** Context of a change. */
export interface ChangeContext {
  readonly origin: ChangeOrigin;
  /** The managedFields of the new version. They are passed to listeners and not stored. */
  readonly managers: readonly ManagedFieldsEntry[];
}

/** Called once for every change, from the watch or from the response to a write of this process. */
export type ChangeListener<O extends KubeObject> = (change: ObjectChange<O>, context: ChangeContext) => void;

/** Health of a watch and of the objects that it caches. */
export interface InformerHealth extends ReflectorHealth {
  readonly kind: string;
  readonly selection: ObjectSelector;
  readonly objects: number;
  /** Whether all informers that use the watch are optional. */
  readonly isOptional: boolean;
  /** Whether its objects can be read. */
  readonly phase: WatchPhase;
}

/**
 * Caches one collection and notifies listeners of every change, from its creation until its last user releases it. A
 * reflector lists and watches; the objects are in an object store, which also receives the responses to our own writes.
 * Listeners see each version once, and versions of an object in order. Errors of the server are retried with backoff and
 * reported in `health`; they are not thrown.
 */
export class SharedInformer<K extends Kind> {
  readonly kind: K;
  readonly selection: ObjectSelector;
  /** Resolves when the watch has ended. */
  readonly ended: Promise<void>;
  readonly #store = new ObjectStore<ObjectOf<K>>();
  readonly #listeners = new Set<ChangeListener<ObjectOf<K>>>();
  readonly #healthListeners = new Set<() => void>();
  readonly #reflector: Reflector<ObjectOf<K>>;
  readonly #stop = new AbortController();
  #users = 0;
  /** Number of users that are not optional. */
  #required = 0;

  constructor(options: SharedInformerOptions<K>) {
    const { client, kind, selection, ...world } = options;
    this.kind = kind;
    this.selection = selection;
    this.#reflector = new Reflector({
      ...world,
      source: client.listWatch(kind),
      selection,
      onChange: (change) => this.#apply(change),
      onHealth: () => this.#notifyHealth(),
    });
    this.ended = this.#reflector.run(this.#stop.signal);
  }

  /** Counts a user. */
  acquire(isOptional: boolean): void {
    this.#users++;
    if (!isOptional) this.#required++;
  }

  /** Removes a user, and stops the watch after the last one. Returns whether it was the last one. */
  release(isOptional: boolean): boolean {
    this.#users--;
    if (!isOptional) this.#required--;
    if (this.#users > 0) return false;
    this.stop();
    return true;
  }

  /** Stops the watch. */
  stop(): void {
    this.#stop.abort();
  }

  /** Resolves after the first complete list. Never rejects; stays pending while the list fails. */
  get synced(): Promise<void> {
    return this.#reflector.synced;
  }

  get isSynced(): boolean {
    return this.#reflector.health.isSynced;
  }

  /** The error of the last attempt; undefined once the server responds again. */
  get failure(): Error | undefined {
    return this.#reflector.health.failure;
  }

  get phase(): WatchPhase {
    return watchPhase(this.kind, this.#reflector.health);
  }

  /** Whether a user that is not optional needs a relist that is not complete. */
  get isUncertain(): boolean {
    return this.#required > 0 && this.#reflector.isRefreshing;
  }

  /** The current health. */
  get health(): InformerHealth {
    const { kind, selection, phase } = this;
    const isOptional = this.#required === 0;
    return { kind: kind.kind, selection, objects: this.#store.size, isOptional, phase, ...this.#reflector.health };
  }

  /** Returns the latest cached version, frozen, or undefined if there is none. */
  get(key: ObjectKey): ObjectOf<K> | undefined {
    return this.#store.get(key);
  }

  /** Returns all cached objects, frozen. */
  list(): readonly ObjectOf<K>[] {
    return this.#store.list();
  }

  /** Adds an index; see `byIndex`. */
  addIndex(name: string, valuesOf: IndexFunction<ObjectOf<K>>): void {
    this.#store.addIndex(name, valuesOf);
  }

  /** Returns the cached objects with an index value. Throws if the index was not added. */
  byIndex(name: string, value: string): readonly ObjectOf<K>[] {
    return this.#store.byIndex(name, value);
  }

  /** Calls `listener` for every cached object, then for every change. Returns the function that unsubscribes it. */
  subscribe(listener: ChangeListener<ObjectOf<K>>): () => void {
    for (const object of this.#store.list()) listener({ kind: "added", object }, { origin: "initial", managers: [] });
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls `listener` when an attempt fails, the server responds again, or a list is complete. Returns the unsubscribe
   * function.
   */
  subscribeHealth(listener: () => void): () => void {
    this.#healthListeners.add(listener);
    return () => this.#healthListeners.delete(listener);
  }

  /**
   * Adds the response to one of our own writes, so that the next read returns it. Listeners are notified at once,
   * because the same version from the watch is ignored later. The writer recognizes its own write by the version.
   */
  observe(object: ObjectOf<K>): void {
    const managers = object.metadata.managedFields ?? [];
    this.#notify(this.#store.put(stripManagedFields(object)), { origin: "live", managers });
  }

  /** Removes an object that is no longer selected as of this version. Listeners are notified at once, as with `observe`. */
  deselect(object: ObjectOf<K>): void {
    this.#notify(this.#store.deselect(object), { origin: "live", managers: [] });
  }

  /** Removes a deleted object. Listeners are notified at once, as with `observe`. */
  forget(object: ObjectOf<K>): void {
    this.#notify(this.#store.tombstone(object.metadata, object.metadata.uid), { origin: "live", managers: [] });
  }

  /** Relists the collection. */
  refresh(): void {
    this.#reflector.refresh();
  }

  #notifyHealth(): void {
    for (const listener of this.#healthListeners) listener();
  }

  #apply(change: ReflectedChange<ObjectOf<K>>): void {
    if (change.kind === "replace") {
      const context = { origin: change.isFirst ? "initial" : "relist", managers: [] } as const;
      if (change.isOtherHistory) this.#notify(this.#store.clear(), context);
      this.#notify(this.#store.replace(change.objects.map(stripManagedFields), change.resourceVersion), context);
      return;
    }
    const object = stripManagedFields(change.object);
    const reported = change.kind === "put" ? this.#store.put(object) : this.#store.remove(object);
    this.#notify(reported, { origin: "live", managers: change.object.metadata.managedFields ?? [] });
  }

  #notify(changes: readonly ObjectChange<ObjectOf<K>>[], context: ChangeContext): void {
    for (const change of changes) for (const listener of this.#listeners) listener(change, context);
  }
}
