import { compareResourceVersions, deepEqual, deepFreeze, formatKey, keyOf } from "@levelset/core";
import type { KubeObject, ObjectKey } from "@levelset/core";
import { ObjectIndex } from "./object-index.ts";
import type { IndexFunction } from "./object-index.ts";

/** What changed in a store, for those who follow it. */
export type ObjectChange<O extends KubeObject> =
  | { readonly kind: "added"; readonly object: O }
  | { readonly kind: "updated"; readonly object: O; readonly previous: O }
  | { readonly kind: "removed"; readonly object: O };

/** How many deletions are remembered, so that late news do not bring an object back. */
const TOMBSTONES_MAX = 1_000;

/**
 * The newest known version of each object of one kind, frozen. It is fed by a watch and by the answers to our own writes; an
 * older version never replaces a newer one, so a reader sees its own writes at once, and the watch's echo of them is no change.
 * An object that went and came back under the same name while nobody looked is told as removed and added: it is another.
 */
export class ObjectStore<O extends KubeObject> {
  readonly #objects = new Map<string, O>();
  readonly #indexes = new Map<string, ObjectIndex<O>>();
  /** key → the revision of its deletion. */
  readonly #tombstones = new Map<string, string>();
  /** Incarnations that are known to be gone, though not since when. */
  readonly #buried = new Set<string>();

  /** The object, if there is one. */
  get(key: ObjectKey): O | undefined {
    return this.#objects.get(formatKey(key));
  }

  /** All objects, in no particular order. */
  list(): readonly O[] {
    return [...this.#objects.values()];
  }

  /** How many objects there are. */
  get size(): number {
    return this.#objects.size;
  }

  /** Lets objects be found by values of theirs. A second index of the same name changes nothing. */
  addIndex(name: string, valuesOf: IndexFunction<O>): void {
    if (this.#indexes.has(name)) return;
    const index = new ObjectIndex(valuesOf);
    for (const [key, object] of this.#objects) index.replace(key, undefined, object);
    this.#indexes.set(name, index);
  }

  /** The objects with a value. Throws for an index that nobody added. */
  byIndex(name: string, value: string): readonly O[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new TypeError(`there is no index ${name}`);
    return index.get(value);
  }

  /** Takes a version from the watch or from an answer. Nothing when it is not news. */
  put(object: O): readonly ObjectChange<O>[] {
    const key = formatKey(keyOf(object));
    const previous = this.#objects.get(key);
    const { resourceVersion, uid } = object.metadata;
    if (previous !== undefined && !isNewer(resourceVersion, previous.metadata.resourceVersion)) return [];
    const tombstone = this.#tombstones.get(key);
    if (tombstone !== undefined && !isNewer(resourceVersion, tombstone)) return [];
    if (this.#buried.has(uid)) return [];
    const frozen = deepFreeze(previous === undefined ? object : withSpecOf(previous, object));
    this.#set(key, previous, frozen);
    if (previous === undefined) return [{ kind: "added", object: frozen }];
    if (previous.metadata.uid === uid) return [{ kind: "updated", object: frozen, previous }];
    return [
      { kind: "removed", object: previous },
      { kind: "added", object: frozen },
    ];
  }

  /** Takes a deletion. Nothing when the object was not known, or lives on in a newer version. */
  remove(object: O): readonly ObjectChange<O>[] {
    const key = formatKey(keyOf(object));
    const previous = this.#objects.get(key);
    const { resourceVersion } = object.metadata;
    remember(this.#tombstones, key, resourceVersion);
    if (previous === undefined || isNewer(previous.metadata.resourceVersion, resourceVersion)) return [];
    this.#set(key, previous, undefined);
    return [{ kind: "removed", object: deepFreeze(object) }];
  }

  /** Takes word that an incarnation is gone, from somebody who does not know since which revision. */
  bury(key: ObjectKey, uid: string): readonly ObjectChange<O>[] {
    this.#buried.add(uid);
    if (this.#buried.size > TOMBSTONES_MAX) this.#buried.delete(first(this.#buried));
    const previous = this.get(key);
    if (previous?.metadata.uid !== uid) return [];
    this.#set(formatKey(key), previous, undefined);
    return [{ kind: "removed", object: previous }];
  }

  /** Takes a whole list as of `resourceVersion`: what is not in it is gone, unless we know a later version. */
  replace(objects: readonly O[], resourceVersion: string): readonly ObjectChange<O>[] {
    const isForeign = objects.some((object) => this.#contradicts(object, resourceVersion));
    const changes = isForeign ? [...this.clear()] : this.size === 0 ? [] : this.#removeAllBut(objects, resourceVersion);
    for (const object of objects) changes.push(...this.put(object));
    return changes;
  }

  /** Whether a list as of `resourceVersion` holds an object in a version that was over by then: it is of another history. */
  #contradicts(object: O, resourceVersion: string): boolean {
    const key = formatKey(keyOf(object));
    const known = this.#objects.get(key)?.metadata.resourceVersion ?? this.#tombstones.get(key);
    return known !== undefined && isNewer(known, object.metadata.resourceVersion) && !isNewer(known, resourceVersion);
  }

  /** Forgets everything, deletions too: what is known is of another history than what comes. */
  clear(): readonly ObjectChange<O>[] {
    this.#tombstones.clear();
    const all = [...this.#objects];
    for (const [key, object] of all) this.#set(key, object, undefined);
    return all.map(([, object]) => ({ kind: "removed", object }));
  }

  #removeAllBut(objects: readonly O[], resourceVersion: string): ObjectChange<O>[] {
    const listed = new Set(objects.map((object) => formatKey(keyOf(object))));
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
 * A version that shares its spec with the one before where that says the same: it is kept once, and what is known of its parts stays
 * known however often a status is written.
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
