import { LruCache } from "@levelset/core/internal";
import type { JsonObject, KubeObject } from "@levelset/core";
import { digestOf } from "./digest.ts";

/**
 * Caches successful applies whose result differs from the manifest, because the server normalizes or drops a value. An
 * entry is a hash of the object and the manifest, so any change except of the status invalidates it. A missing entry,
 * after an eviction or a restart, costs one apply without changes.
 */
export class ApplyCache {
  /** UID of an object → hash of it and its manifest. */
  readonly #known: LruCache<string, string>;

  constructor(max: number) {
    this.#known = new LruCache(max);
  }

  /** Returns whether the manifest is known to be applied to this version of the object. */
  has(object: KubeObject, manifest: JsonObject): boolean {
    const known = this.#known.get(object.metadata.uid);
    return known !== undefined && known === stateOf(object, manifest);
  }

  /** Records the response to an apply of the manifest. */
  add(object: KubeObject, manifest: JsonObject): void {
    this.#known.set(object.metadata.uid, stateOf(object, manifest));
  }
}

function stateOf(object: KubeObject, manifest: JsonObject): string {
  const { resourceVersion: _v, generation: _g, managedFields: _f, ...metadata } = object.metadata;
  return digestOf([{ ...object, metadata, status: undefined }, manifest]);
}
