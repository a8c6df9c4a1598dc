import type { Kind, ObjectKey, ObjectOf } from "@levelset/core";
import type { IndexFunction } from "./object-index.ts";
import type { ChangeListener, SharedInformer } from "./shared-informer.ts";
import type { WatchPhase } from "./watch-failure.ts";

/**
 * Reads the cached objects of a kind and selector and subscribes to their changes. {@link Cache.watch} creates it. The
 * watches are shared with other informers: closing this one ends its subscriptions, and stops the watches that no other
 * informer uses.
 */
export class Informer<K extends Kind> {
  readonly kind: K;
  /** One per namespace, or one for all namespaces. */
  readonly #parts: readonly SharedInformer<K>[];
  readonly #onClose: () => void;
  readonly #unsubscribe: (() => void)[] = [];
  #isClosed = false;

  constructor(kind: K, parts: readonly SharedInformer<K>[], onClose: () => void) {
    this.kind = kind;
    this.#parts = parts;
    this.#onClose = onClose;
  }

  /** Resolves after the first complete list of every namespace. Never rejects; stays pending while a list fails. */
  get synced(): Promise<unknown> {
    return Promise.all(this.#parts.map(({ synced }) => synced));
  }

  /** Whether the first list of every namespace is complete. */
  get isSynced(): boolean {
    return this.#parts.every(({ isSynced }) => isSynced);
  }

  /** The error of the last attempt to list or watch; undefined once the server responds again. */
  get failure(): Error | undefined {
    return this.#parts.find(({ failure }) => failure !== undefined)?.failure;
  }

  /** The phase of the informer; with several namespaces, the worst one. */
  get phase(): WatchPhase {
    const phases = this.#parts.map(({ phase }) => phase);
    const worst = phases.find(({ kind }) => kind === "failing") ?? phases.find(({ kind }) => kind === "starting");
    return worst ?? { kind: "watching" };
  }

  /** Returns the latest cached version, frozen, or undefined if there is none. */
  get(key: ObjectKey): ObjectOf<K> | undefined {
    for (const part of this.#parts) {
      const found = part.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns all cached objects, frozen. */
  list(): readonly ObjectOf<K>[] {
    return this.#parts.flatMap((part) => part.list());
  }

  /** Adds an index. Informers share indexes, so a name must stand for the same function in all of them. */
  addIndex(name: string, valuesOf: IndexFunction<ObjectOf<K>>): void {
    for (const part of this.#parts) part.addIndex(name, valuesOf);
  }

  /** Returns the cached objects with an index value. Throws if the index was not added. */
  byIndex(name: string, value: string): readonly ObjectOf<K>[] {
    return this.#parts.flatMap((part) => part.byIndex(name, value));
  }

  /**
   * Calls the listener for every cached object, then for every change, from the watch or from a write of this process.
   */
  subscribe(listener: ChangeListener<ObjectOf<K>>): void {
    for (const part of this.#parts) this.#unsubscribe.push(part.subscribe(listener));
  }

  /** Calls `listener` whenever `isSynced`, `failure` or `phase` may have changed. */
  subscribeHealth(listener: () => void): void {
    for (const part of this.#parts) this.#unsubscribe.push(part.subscribeHealth(listener));
  }

  /** Adds a version that was read from the server directly. */
  observe(object: ObjectOf<K>): void {
    for (const part of this.#parts) {
      const { namespace } = part.selection;
      if (namespace === undefined || namespace === object.metadata.namespace) part.observe(object);
    }
  }

  /** Removes an object that is known to be deleted. */
  forget(object: ObjectOf<K>): void {
    for (const part of this.#parts) part.forget(object);
  }

  /** Closes the informer. Further calls have no effect. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#onClose();
  }
}
