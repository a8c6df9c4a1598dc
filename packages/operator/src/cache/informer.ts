import type { Clock, Kind, KubeObject, Logger, ManagedFieldsEntry, ObjectKey, ObjectOf, Random } from "@levelset/core";
import type { Client, Selection } from "../client/index.ts";
import { Reflector, slim } from "../watch/index.ts";
import type { ReflectedChange, ReflectorHealth } from "../watch/index.ts";
import type { IndexFunction } from "./object-index.ts";
import { ObjectStore } from "./object-store.ts";
import type { ObjectChange } from "./object-store.ts";

/** What an informer follows, and the world it lives in. */
export interface InformerOptions<K extends Kind> {
  readonly client: Client;
  readonly kind: K;
  readonly selection?: Selection;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** How long to wait at most before what failed is tried again. Default 30 s. */
  readonly retryMaxMs?: number | undefined;
}

/** Where a change comes from: the first list, a list after lost events, or the watch. */
export type Origin = "initial" | "relist" | "live";

/** What a listener is told besides the change. */
export interface ChangeContext {
  readonly origin: Origin;
  /** Who owns which fields of the new version: read, used for reasons, and not kept. */
  readonly managers: readonly ManagedFieldsEntry[];
}

/** Told of every change once, whether the watch brings it or the answer to a write of this process. */
export type ChangeListener<O extends KubeObject> = (change: ObjectChange<O>, context: ChangeContext) => void;

/** How an informer is doing. */
export interface InformerHealth extends ReflectorHealth {
  readonly kind: string;
  readonly selection: Selection;
  readonly objects: number;
}

/**
 * Keeps a local copy of a collection, and tells of every change of it. What follows the server is a reflector; what is known is in an
 * object store, which also takes the answers to our own writes.
 */
export class Informer<K extends Kind> {
  readonly kind: K;
  readonly selection: Selection;
  readonly #store = new ObjectStore<ObjectOf<K>>();
  readonly #listeners = new Set<ChangeListener<ObjectOf<K>>>();
  readonly #healthListeners = new Set<() => void>();
  readonly #reflector: Reflector<ObjectOf<K>>;

  constructor(options: InformerOptions<K>) {
    const { client, kind, selection = {}, ...world } = options;
    this.kind = kind;
    this.selection = selection;
    this.#reflector = new Reflector({
      ...world,
      source: client.listWatch(kind),
      selection,
      onChange: (change) => this.#apply(change),
      onHealth: () => this.#notifyHealth(),
    });
  }

  /** Resolves once the whole collection is in the store for the first time. */
  get synced(): Promise<void> {
    return this.#reflector.synced;
  }

  /** How it is doing. */
  get health(): InformerHealth {
    const { kind, selection } = this;
    return { kind: kind.kind, selection, objects: this.#store.size, ...this.#reflector.health };
  }

  /** The newest known version, frozen; undefined when there is none. */
  get(key: ObjectKey): ObjectOf<K> | undefined {
    return this.#store.get(key);
  }

  /** All known objects, frozen. */
  list(): readonly ObjectOf<K>[] {
    return this.#store.list();
  }

  /** Lets objects be found by values of theirs; see `byIndex`. */
  addIndex(name: string, valuesOf: IndexFunction<ObjectOf<K>>): void {
    this.#store.addIndex(name, valuesOf);
  }

  /** The known objects with a value. */
  byIndex(name: string, value: string): readonly ObjectOf<K>[] {
    return this.#store.byIndex(name, value);
  }

  /** Calls `listener` for every change from now on, after telling it of all that is known already. */
  subscribe(listener: ChangeListener<ObjectOf<K>>): () => void {
    for (const object of this.#store.list()) listener({ kind: "added", object }, { origin: "initial", managers: [] });
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` whenever a try failed, the server answers again, or a list is here. Returns what ends that. */
  subscribeHealth(listener: () => void): () => void {
    this.#healthListeners.add(listener);
    return () => this.#healthListeners.delete(listener);
  }

  /**
   * Takes the answer to one of our own writes, so that the next read sees it. Listeners are told now, for the watch's echo will be no
   * news: what one operator of a process writes, another one may wait for. Whoever wrote it knows it by its version.
   */
  observe(object: ObjectOf<K>): void {
    const managers = object.metadata.managedFields ?? [];
    this.#tell(this.#store.put(slim(object)), { origin: "live", managers });
  }

  /** Takes word that an object is gone, or no longer selected. Listeners are told now, as with `observe`. */
  forget(object: ObjectOf<K>): void {
    this.#tell(this.#store.bury(object.metadata, object.metadata.uid), { origin: "live", managers: [] });
  }

  /** Starts over with a new list; resolves when it is here, or when nobody follows any more. */
  refresh(): Promise<void> {
    return this.#reflector.refresh();
  }

  /** Follows the collection until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#reflector.run(signal);
  }

  #notifyHealth(): void {
    for (const listener of this.#healthListeners) listener();
  }

  #apply(change: ReflectedChange<ObjectOf<K>>): void {
    if (change.kind === "replace") {
      const context = { origin: change.isFirst ? "initial" : "relist", managers: [] } as const;
      if (change.isOtherHistory) this.#tell(this.#store.clear(), context);
      this.#tell(this.#store.replace(change.objects.map(slim), change.resourceVersion), context);
      return;
    }
    const object = slim(change.object);
    const told = change.kind === "put" ? this.#store.put(object) : this.#store.remove(object);
    this.#tell(told, { origin: "live", managers: change.object.metadata.managedFields ?? [] });
  }

  #tell(changes: readonly ObjectChange<ObjectOf<K>>[], context: ChangeContext): void {
    for (const change of changes) for (const listener of this.#listeners) listener(change, context);
  }
}
