import type { Kind, ObjectKey, ObjectOf } from "@levelset/core";
import type { Selection } from "../client/index.ts";
import type { ChangeListener, Informer, InformerHealth } from "./informer.ts";
import type { IndexFunction } from "./object-index.ts";
import { watchPhase } from "./watch-failure.ts";
import type { WatchPhase } from "./watch-failure.ts";

/** One follower's hold on a shared copy of a collection. Closing it ends its subscriptions, and the watch if it was the last. */
export class Following<K extends Kind> {
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

  get selection(): Selection {
    return this.#informer.selection;
  }

  /** Resolves once the whole collection is here for the first time. */
  get synced(): Promise<void> {
    return this.#informer.synced;
  }

  get health(): InformerHealth {
    return this.#informer.health;
  }

  /** Where the copy is. */
  get phase(): WatchPhase {
    return watchPhase(this.kind, this.health);
  }

  /** The newest known version, frozen; undefined when there is none. */
  get(key: ObjectKey): ObjectOf<K> | undefined {
    return this.#informer.get(key);
  }

  /** All known objects, frozen. */
  list(): readonly ObjectOf<K>[] {
    return this.#informer.list();
  }

  /** Lets objects be found by values of theirs. Followers share indexes, so one name means one function everywhere. */
  addIndex(name: string, valuesOf: IndexFunction<ObjectOf<K>>): void {
    this.#informer.addIndex(name, valuesOf);
  }

  /** The known objects with a value. Throws for an index that nobody added. */
  byIndex(name: string, value: string): readonly ObjectOf<K>[] {
    return this.#informer.byIndex(name, value);
  }

  /** Tells of all that is known, then of every change, whether the watch brings it or the answer to a write of this process. */
  subscribe(listener: ChangeListener<ObjectOf<K>>): void {
    this.#unsubscribe.push(this.#informer.subscribe(listener));
  }

  /** Calls `listener` whenever the phase may have changed. */
  subscribeHealth(listener: () => void): void {
    this.#unsubscribe.push(this.#informer.subscribeHealth(listener));
  }

  /** Takes a version that was read past the cache. */
  observe(object: ObjectOf<K>): void {
    this.#informer.observe(object);
  }

  /** Takes word that an object is gone. */
  forget(object: ObjectOf<K>): void {
    this.#informer.forget(object);
  }

  /** Calling it twice does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#onClose();
  }
}
