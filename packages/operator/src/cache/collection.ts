import type { Kind, ObjectKey, ObjectOf } from "@levelset/core";
import type { Selection } from "../client/index.ts";
import type { Cache } from "./cache.ts";
import type { Following } from "./following.ts";
import type { ChangeListener } from "./informer.ts";
import type { IndexFunction } from "./object-index.ts";
import type { WatchPhase } from "./watch-failure.ts";

/** What part of a cluster to follow. */
export interface CollectionOptions extends Omit<Selection, "namespace"> {
  /** Only these namespaces. Absent: all. Means nothing for cluster-scoped kinds. */
  readonly namespaces?: readonly string[] | undefined;
  /** Whether the process works without it: see `Cache.follow`. Default false. */
  readonly isOptional?: boolean;
}

/** The objects of a kind in all namespaces, or in a few: as one, however many watches it takes. */
export class Collection<K extends Kind> {
  readonly kind: K;
  readonly #parts: readonly Following<K>[];

  constructor(cache: Cache, kind: K, options: CollectionOptions = {}) {
    const { namespaces, isOptional = false, ...selection } = options;
    this.kind = kind;
    this.#parts =
      namespaces === undefined || kind.scope === "Cluster"
        ? [cache.follow(kind, selection, { isOptional })]
        : [...new Set(namespaces)].map((namespace) => cache.follow(kind, { ...selection, namespace }, { isOptional }));
  }

  /** Resolves once everything is here for the first time. */
  get synced(): Promise<unknown> {
    return Promise.all(this.#parts.map(({ synced }) => synced));
  }

  /** Where the copies are: the worst of them. */
  get phase(): WatchPhase {
    const phases = this.#parts.map(({ phase }) => phase);
    const worst = phases.find(({ kind }) => kind === "failing") ?? phases.find(({ kind }) => kind === "starting");
    return worst ?? { kind: "watching" };
  }

  /** Calls `listener` whenever the phase may have changed. */
  subscribeHealth(listener: () => void): void {
    for (const part of this.#parts) part.subscribeHealth(listener);
  }

  /** The newest known version, frozen; undefined when there is none. */
  get(key: ObjectKey): ObjectOf<K> | undefined {
    for (const part of this.#parts) {
      const found = part.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** All known objects, frozen. */
  list(): readonly ObjectOf<K>[] {
    return this.#parts.flatMap((part) => part.list());
  }

  /** Lets objects be found by values of theirs. */
  addIndex(name: string, valuesOf: IndexFunction<ObjectOf<K>>): void {
    for (const part of this.#parts) part.addIndex(name, valuesOf);
  }

  /** The known objects with a value. Throws for an index that nobody added. */
  byIndex(name: string, value: string): readonly ObjectOf<K>[] {
    return this.#parts.flatMap((part) => part.byIndex(name, value));
  }

  /** Tells of all that is known, then of every change. */
  subscribe(listener: ChangeListener<ObjectOf<K>>): void {
    for (const part of this.#parts) part.subscribe(listener);
  }

  /** Takes a version that was read past the cache. */
  observe(object: ObjectOf<K>): void {
    for (const part of this.#parts) {
      const { namespace } = part.selection;
      if (namespace === undefined || namespace === object.metadata.namespace) part.observe(object);
    }
  }

  /** Takes word that an object is gone. */
  forget(object: ObjectOf<K>): void {
    for (const part of this.#parts) part.forget(object);
  }

  /** Follows no more. */
  close(): void {
    for (const part of this.#parts) part.close();
  }
}
