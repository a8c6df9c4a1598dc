import type { OwnerReference } from "@levelset/core";
import type { StoredRecord, StoreKey } from "../store/index.ts";
import type { RecordChange, RecordChangeHandler } from "./change-feed.ts";

const NONE: ReadonlyMap<string, StoredRecord> = new Map();

/** Formats a key as text. Resources, namespaces and names cannot contain a slash. */
export function formatStoreKey({ resource, namespace, name }: StoreKey): string {
  return `${resource}/${namespace}/${name}`;
}

/** Parses the output of `formatStoreKey`. */
export function parseStoreKey(text: string): StoreKey {
  const [resource = "", namespace = "", name = ""] = text.split("/");
  return { resource, namespace, name };
}

/** Index of dependents by owner uid, as of the latest write. */
export class OwnerIndex implements RecordChangeHandler {
  readonly #dependents = new Map<string, Map<string, StoredRecord>>();
  readonly #keys = new Map<string, StoreKey>();

  onReset(): void {
    this.#dependents.clear();
    this.#keys.clear();
  }

  onChange({ key, current, previous }: RecordChange): void {
    if (previous !== undefined && previous.object.metadata.uid !== current?.object.metadata.uid) {
      this.#keys.delete(previous.object.metadata.uid);
    }
    if (current !== undefined) this.#keys.set(current.object.metadata.uid, key);
    const id = formatStoreKey(key);
    for (const { uid } of ownerReferencesOf(previous)) {
      const dependents = this.#dependents.get(uid);
      dependents?.delete(id);
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
    if (current === undefined) return;
    for (const { uid } of ownerReferencesOf(current)) {
      const dependents = this.#dependents.get(uid) ?? new Map<string, StoredRecord>();
      dependents.set(id, current);
      this.#dependents.set(uid, dependents);
    }
  }

  /** Returns the objects with an owner reference to this uid. */
  dependentsOf(uid: string): Iterable<StoredRecord> {
    return (this.#dependents.get(uid) ?? NONE).values();
  }

  /** Returns the store key of the object with this uid, or undefined. */
  storeKeyOf(uid: string): StoreKey | undefined {
    return this.#keys.get(uid);
  }
}

/** Returns the owner references of a record. */
export function ownerReferencesOf(record: StoredRecord | undefined): readonly OwnerReference[] {
  return record?.object.metadata.ownerReferences ?? [];
}
