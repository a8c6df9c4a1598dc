import { compareResourceVersions, deepFreeze, formatKey, keyOf } from "@levelset/core";
import type { KubeObject, ObjectKey } from "@levelset/core";

/** What changed in a store, for those who follow it. */
export type ObjectChange<O extends KubeObject> =
  | { readonly kind: "added"; readonly object: O }
  | { readonly kind: "updated"; readonly object: O; readonly previous: O }
  | { readonly kind: "removed"; readonly object: O };

/** How many deletions are remembered, so that a late answer to a write does not bring an object back. */
const TOMBSTONES_MAX = 1_000;

/**
 * The newest known version of each object of one kind, frozen. It is fed by a watch and by the answers to our own writes; an
 * older version never replaces a newer one, so a reader sees its own writes at once, and the watch's echo of them is no change.
 */
export class ObjectStore<O extends KubeObject> {
  readonly #objects = new Map<string, O>();
  readonly #tombstones = new Map<string, string>();

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

  /** Takes a version from the watch or from an answer. Undefined when it is not news. */
  put(object: O): ObjectChange<O> | undefined {
    const key = formatKey(keyOf(object));
    const previous = this.#objects.get(key);
    if (previous !== undefined && !isNewer(object, previous.metadata.resourceVersion)) return undefined;
    const buried = this.#tombstones.get(key);
    if (buried !== undefined && !isNewer(object, buried)) return undefined;
    const frozen = deepFreeze(object);
    this.#objects.set(key, frozen);
    return previous === undefined ? { kind: "added", object: frozen } : { kind: "updated", object: frozen, previous };
  }

  /** Takes a deletion. Undefined when the object was not known, or lives on in a newer version. */
  remove(object: O): ObjectChange<O> | undefined {
    const key = formatKey(keyOf(object));
    const previous = this.#objects.get(key);
    this.#bury(key, object.metadata.resourceVersion);
    if (previous === undefined || isNewer(previous, object.metadata.resourceVersion)) return undefined;
    this.#objects.delete(key);
    return { kind: "removed", object: deepFreeze(object) };
  }

  /** Takes a whole list as of `resourceVersion`: what is not in it is gone, unless we know a later version. */
  replace(objects: readonly O[], resourceVersion: string): readonly ObjectChange<O>[] {
    const listed = new Set(objects.map((object) => formatKey(keyOf(object))));
    const vanished = this.list().filter(
      (object) => !listed.has(formatKey(keyOf(object))) && !isNewer(object, resourceVersion),
    );
    return [
      ...vanished.map((object): ObjectChange<O> => {
        this.#objects.delete(formatKey(keyOf(object)));
        return { kind: "removed", object };
      }),
      ...objects.flatMap((object) => this.put(object) ?? []),
    ];
  }

  #bury(key: string, resourceVersion: string): void {
    this.#tombstones.delete(key);
    this.#tombstones.set(key, resourceVersion);
    if (this.#tombstones.size <= TOMBSTONES_MAX) return;
    const [oldest] = this.#tombstones.keys();
    if (oldest !== undefined) this.#tombstones.delete(oldest);
  }
}

function isNewer(object: KubeObject, resourceVersion: string): boolean {
  return compareResourceVersions(object.metadata.resourceVersion, resourceVersion) > 0;
}
