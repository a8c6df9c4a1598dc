import type { OwnerReference } from "@levelset/core";
import type { StoredRecord, StoreKey } from "../store/index.ts";
import type { Change, Follower } from "./feed.ts";

const NONE: ReadonlyMap<string, StoredRecord> = new Map();

/** A key as text. Neither resources nor namespaces nor names have a slash in them. */
export function formatStoreKey({ resource, namespace, name }: StoreKey): string {
  return `${resource}/${namespace}/${name}`;
}

/** The inverse of `formatStoreKey`. */
export function parseStoreKey(text: string): StoreKey {
  const [resource = "", namespace = "", name = ""] = text.split("/");
  return { resource, namespace, name };
}

/** Who depends on whom, by uid, as of the latest write. */
export class OwnerIndex implements Follower {
  readonly #dependents = new Map<string, Map<string, StoredRecord>>();
  readonly #keys = new Map<string, StoreKey>();

  reset(): void {
    this.#dependents.clear();
    this.#keys.clear();
  }

  follow({ key, now, before }: Change): void {
    if (before !== undefined && before.object.metadata.uid !== now?.object.metadata.uid) {
      this.#keys.delete(before.object.metadata.uid);
    }
    if (now !== undefined) this.#keys.set(now.object.metadata.uid, key);
    const id = formatStoreKey(key);
    for (const { uid } of ownersOf(before)) {
      const dependents = this.#dependents.get(uid);
      dependents?.delete(id);
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
    if (now === undefined) return;
    for (const { uid } of ownersOf(now)) {
      const dependents = this.#dependents.get(uid) ?? new Map<string, StoredRecord>();
      dependents.set(id, now);
      this.#dependents.set(uid, dependents);
    }
  }

  /** The objects that name this one as an owner. */
  dependentsOf(uid: string): Iterable<StoredRecord> {
    return (this.#dependents.get(uid) ?? NONE).values();
  }

  /** Where the object with this uid is kept; undefined when there is none. */
  keyOf(uid: string): StoreKey | undefined {
    return this.#keys.get(uid);
  }
}

/** The owners that a record names. */
export function ownersOf(record: StoredRecord | undefined): readonly OwnerReference[] {
  return record?.object.metadata.ownerReferences ?? [];
}
