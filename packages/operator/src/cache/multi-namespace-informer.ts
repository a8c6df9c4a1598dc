import type { Kind, ObjectKey, ObjectOf } from "@levelset/core";
import type { ObjectSelector } from "../client/index.ts";
import type { Cache } from "./cache.ts";
import type { InformerHandle } from "./informer-handle.ts";
import type { ChangeListener } from "./informer.ts";
import type { IndexFunction } from "./object-index.ts";
import type { WatchPhase } from "./watch-failure.ts";

/** Options of {@link MultiNamespaceInformer}. */
export interface MultiNamespaceInformerOptions extends Omit<ObjectSelector, "namespace"> {
  /** Only these namespaces. Absent: all. Ignored for cluster-scoped kinds. */
  readonly namespaces?: readonly string[] | undefined;
  /** Whether the informer is optional: see `Cache.watch`. Default false. */
  readonly isOptional?: boolean;
}

/** Combines the informers of a kind in several namespaces, or one informer for all namespaces, under one interface. */
export class MultiNamespaceInformer<K extends Kind> {
  readonly kind: K;
  readonly #parts: readonly InformerHandle<K>[];

  constructor(cache: Cache, kind: K, options: MultiNamespaceInformerOptions = {}) {
    const { namespaces, isOptional = false, ...selection } = options;
    this.kind = kind;
    this.#parts =
      namespaces === undefined || kind.scope === "Cluster"
        ? [cache.watch(kind, selection, { isOptional })]
        : [...new Set(namespaces)].map((namespace) => cache.watch(kind, { ...selection, namespace }, { isOptional }));
  }

  /** Resolves after the first complete list of every namespace. */
  get synced(): Promise<unknown> {
    return Promise.all(this.#parts.map(({ synced }) => synced));
  }

  /** The worst phase of the informers. */
  get phase(): WatchPhase {
    const phases = this.#parts.map(({ phase }) => phase);
    const worst = phases.find(({ kind }) => kind === "failing") ?? phases.find(({ kind }) => kind === "starting");
    return worst ?? { kind: "watching" };
  }

  /** Calls `listener` whenever the phase may have changed. */
  subscribeHealth(listener: () => void): void {
    for (const part of this.#parts) part.subscribeHealth(listener);
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

  /** Adds an index. */
  addIndex(name: string, valuesOf: IndexFunction<ObjectOf<K>>): void {
    for (const part of this.#parts) part.addIndex(name, valuesOf);
  }

  /** Returns the cached objects with an index value. Throws if the index was not added. */
  byIndex(name: string, value: string): readonly ObjectOf<K>[] {
    return this.#parts.flatMap((part) => part.byIndex(name, value));
  }

  /** Calls the listener for every cached object, then for every change. */
  subscribe(listener: ChangeListener<ObjectOf<K>>): void {
    for (const part of this.#parts) part.subscribe(listener);
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

  /** Closes all handles. */
  close(): void {
    for (const part of this.#parts) part.close();
  }
}
