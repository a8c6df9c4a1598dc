import type { Kind, ObjectKey, ObjectOf } from "@levelset/core";
import type { ObjectSelector } from "../client/index.ts";
import type { ChangeListener, Informer, InformerHealth } from "./informer.ts";
import type { IndexFunction } from "./object-index.ts";
import { watchPhase } from "./watch-failure.ts";
import type { WatchPhase } from "./watch-failure.ts";

/** A handle on a shared informer. Closing it ends its subscriptions; closing the last handle stops the watch. */
export class InformerHandle<K extends Kind> {
  readonly #informer: Informer<K>;
  readonly #onClose: () => void;
  readonly #unsubscribe: (() => void)[] = [];
  #isClosed = false;

  constructor(informer: Informer<K>, onClose: () => void) {
    this.#informer = informer;
    this.#onClose = onClose;
  }

  get kind(): K {
    return this.#informer.kind;
  }

  get selection(): ObjectSelector {
    return this.#informer.selection;
  }

  /** Resolves after the first complete list. Never rejects; stays pending while the list fails. */
  get synced(): Promise<void> {
    return this.#informer.synced;
  }

  get health(): InformerHealth {
    return this.#informer.health;
  }

  /** The phase of the informer. */
  get phase(): WatchPhase {
    return watchPhase(this.kind, this.health);
  }

  /** Returns the latest cached version, frozen, or undefined if there is none. */
  get(key: ObjectKey): ObjectOf<K> | undefined {
    return this.#informer.get(key);
  }

  /** Returns all cached objects, frozen. */
  list(): readonly ObjectOf<K>[] {
    return this.#informer.list();
  }

  /** Adds an index. Handles share indexes, so a name must stand for the same function in all of them. */
  addIndex(name: string, valuesOf: IndexFunction<ObjectOf<K>>): void {
    this.#informer.addIndex(name, valuesOf);
  }

  /** Returns the cached objects with an index value. Throws if the index was not added. */
  byIndex(name: string, value: string): readonly ObjectOf<K>[] {
    return this.#informer.byIndex(name, value);
  }

  /**
   * Calls the listener for every cached object, then for every change, from the watch or from a write of this process.
   */
  subscribe(listener: ChangeListener<ObjectOf<K>>): void {
    this.#unsubscribe.push(this.#informer.subscribe(listener));
  }

  /** Calls `listener` whenever the phase may have changed. */
  subscribeHealth(listener: () => void): void {
    this.#unsubscribe.push(this.#informer.subscribeHealth(listener));
  }

  /** Adds a version that was read from the server directly. */
  observe(object: ObjectOf<K>): void {
    this.#informer.observe(object);
  }

  /** Removes an object that is known to be deleted. */
  forget(object: ObjectOf<K>): void {
    this.#informer.forget(object);
  }

  /** Closes the handle. Further calls have no effect. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#onClose();
  }
}
