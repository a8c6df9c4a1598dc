import { compareResourceVersions, formatKey, objectKeyOf } from "@levelset/core";
import { deepEqual, deepFreeze } from "@levelset/core/internal";
import type { KubeObject, ObjectKey } from "@levelset/core";
import { ObjectIndex } from "./object-index.ts";
import type { IndexFunction } from "./object-index.ts";

/** A change of an object in the store. */
export type ObjectChange<O extends KubeObject> =
  | { readonly kind: "added"; readonly object: O }
  | { readonly kind: "updated"; readonly object: O; readonly previous: O }
  | { readonly kind: "removed"; readonly object: O };

/** Maximum number of tombstones. They prevent late events from restoring deleted objects. */
const TOMBSTONES_MAX = 1_000;

/**
 * Stores the newest known version of each object of one kind, frozen. Versions come from a watch and from the responses
 * to our own writes. An older version never replaces a newer one, so a reader sees its own writes at once, and the same
 * version from the watch is not a change. An object that was recreated under the same name is reported as removed and
 * added. Assumes that resourceVersions of one server are comparable integers (KEP-5504).
 */
export class ObjectStore<O extends KubeObject> {
  readonly #objects = new Map<string, O>();
  readonly #indexes = new Map<string, ObjectIndex<O>>();
  /** key → the resourceVersion of its deletion. */
  readonly #tombstones = new Map<string, string>();
  /** UIDs of deleted objects whose deletion has no known resourceVersion. */
  readonly #deletedUids = new Set<string>();

  /** Returns the object, or undefined if there is none. */
  get(key: ObjectKey): O | undefined {
    return this.#objects.get(formatKey(key));
  }

  /** Returns all objects, in no particular order. */
  list(): readonly O[] {
    return [...this.#objects.values()];
  }

  /** The number of objects. */
  get size(): number {
    return this.#objects.size;
  }

  /** Adds an index. Does nothing if an index of that name exists. */
  addIndex(name: string, valuesOf: IndexFunction<O>): void {
    if (this.#indexes.has(name)) return;
    const index = new ObjectIndex(valuesOf);
    for (const [key, object] of this.#objects) index.replace(key, undefined, object);
    this.#indexes.set(name, index);
  }

  /** Returns the objects with an index value. Throws if the index was not added. */
  byIndex(name: string, value: string): readonly O[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new TypeError(`unknown index ${name}`);
    return index.get(value);
  }

  /** Adds a version from the watch or from a response. Returns no changes if it is not newer than the stored one. */
  put(object: O): readonly ObjectChange<O>[] {
    const key = formatKey(objectKeyOf(object));
    const previous = this.#objects.get(key);
    const { resourceVersion, uid } = object.metadata;
    if (previous !== undefined && !isNewer(resourceVersion, previous.metadata.resourceVersion)) return [];
    const tombstone = this.#tombstones.get(key);
    if (tombstone !== undefined && !isNewer(resourceVersion, tombstone)) return [];
    if (this.#deletedUids.has(uid)) return [];
    const frozen = deepFreeze(previous === undefined ? object : withSpecOf(previous, object));
    this.#set(key, previous, frozen);
    if (previous === undefined) return [{ kind: "added", object: frozen }];
    if (previous.metadata.uid === uid) return [{ kind: "updated", object: frozen, previous }];
    return [
      { kind: "removed", object: previous },
      { kind: "added", object: frozen },
    ];
  }

  /** Removes a deleted object. Returns no changes if the object is not stored or a newer version exists. */
  remove(object: O): readonly ObjectChange<O>[] {
    const key = formatKey(objectKeyOf(object));
    const previous = this.#objects.get(key);
    const { resourceVersion } = object.metadata;
    remember(this.#tombstones, key, resourceVersion);
    if (previous === undefined || isNewer(previous.metadata.resourceVersion, resourceVersion)) return [];
    this.#set(key, previous, undefined);
    return [{ kind: "removed", object: deepFreeze(object) }];
  }

  /** Removes an object that is no longer selected as of this version. A later version that is selected is added again. */
  deselect({ metadata }: O): readonly ObjectChange<O>[] {
    const previous = this.get(metadata);
    const { resourceVersion } = metadata;
    if (previous !== undefined)
      return this.remove({ ...previous, metadata: { ...previous.metadata, resourceVersion } });
    remember(this.#tombstones, formatKey(metadata), resourceVersion);
    return [];
  }

  /** Removes the object with this UID when the resourceVersion of its deletion is unknown. */
  tombstone(key: ObjectKey, uid: string): readonly ObjectChange<O>[] {
    this.#deletedUids.add(uid);
    if (this.#deletedUids.size > TOMBSTONES_MAX) this.#deletedUids.delete(first(this.#deletedUids));
    const previous = this.get(key);
    if (previous?.metadata.uid !== uid) return [];
    this.#set(formatKey(key), previous, undefined);
    return [{ kind: "removed", object: previous }];
  }

  /**
   * Replaces the content by a list at `resourceVersion`. Removes objects that it lacks, unless a later version is
   * stored.
   */
  replace(objects: readonly O[], resourceVersion: string): readonly ObjectChange<O>[] {
    const isForeign = objects.some((object) => this.#contradicts(object, resourceVersion));
    const changes = isForeign ? [...this.clear()] : this.size === 0 ? [] : this.#removeAllBut(objects, resourceVersion);
    for (const object of objects) changes.push(...this.put(object));
    return changes;
  }

  /**
   * Returns whether a list at `resourceVersion` has an object that we know was replaced by then: the server lost its
   * history.
   */
  #contradicts(object: O, resourceVersion: string): boolean {
    const key = formatKey(objectKeyOf(object));
    const known = this.#objects.get(key)?.metadata.resourceVersion ?? this.#tombstones.get(key);
    return known !== undefined && isNewer(known, object.metadata.resourceVersion) && !isNewer(known, resourceVersion);
  }

  /** Removes all objects and tombstones, because the server has another history. */
  clear(): readonly ObjectChange<O>[] {
    this.#tombstones.clear();
    const all = [...this.#objects];
    for (const [key, object] of all) this.#set(key, object, undefined);
    return all.map(([, object]) => ({ kind: "removed", object }));
  }

  #removeAllBut(objects: readonly O[], resourceVersion: string): ObjectChange<O>[] {
    const listed = new Set(objects.map((object) => formatKey(objectKeyOf(object))));
    const changes: ObjectChange<O>[] = [];
    for (const [key, object] of this.#objects) {
      if (listed.has(key) || isNewer(object.metadata.resourceVersion, resourceVersion)) continue;
      this.#set(key, object, undefined);
      changes.push({ kind: "removed", object });
    }
    return changes;
  }

  #set(key: string, before: O | undefined, after: O | undefined): void {
    if (after === undefined) this.#objects.delete(key);
    else this.#objects.set(key, after);
    for (const index of this.#indexes.values()) index.replace(key, before, after);
  }
}

/**
 * Returns the version with the spec object of the previous one if both are equal. This saves memory, and results
 * memoized per spec object stay valid across status writes.
 */
function withSpecOf<O extends KubeObject>(previous: O, object: O): O {
  const { generation } = object.metadata;
  if (generation === undefined || generation !== previous.metadata.generation) return object;
  const [before, spec] = [specOf(previous), specOf(object)];
  return spec !== undefined && deepEqual(before, spec) ? { ...object, spec: before } : object;
}

function specOf(object: KubeObject): unknown {
  return (object as { readonly spec?: unknown }).spec;
}

function remember(tombstones: Map<string, string>, key: string, resourceVersion: string): void {
  tombstones.delete(key);
  tombstones.set(key, resourceVersion);
  if (tombstones.size > TOMBSTONES_MAX) tombstones.delete(first(tombstones.keys()));
}

function first(texts: Iterable<string>): string {
  for (const text of texts) return text;
  return "";
}

function isNewer(resourceVersion: string, other: string): boolean {
  return compareResourceVersions(resourceVersion, other) > 0;
}
