import { deepFreeze, parseJson, stringifyJson } from "@levelset/core/internal";
import type { ApiObject, StoredRecord, StoreKey } from "./store.ts";
import { EvictionQueue } from "./eviction-queue.ts";
import type { Evictable } from "./eviction-queue.ts";

/** Fields of an {@link ObjectVersion}. */
interface VersionFields {
  readonly key: StoreKey;
  readonly json: string;
  readonly revision: number;
}

/** Recently written versions retain the parsed object, because watchers and the next update read it soon. */
const written = new EvictionQueue({ countMax: 64, sizeMax: 4 * 1024 * 1024 });

/**
 * One version of one object, stored as JSON text. The parsed object is cached for a while after the write; later reads
 * parse the text again. Memory use is therefore dominated by the text.
 */
export class ObjectVersion implements StoredRecord, Evictable {
  readonly key: StoreKey;
  readonly json: string;
  readonly revision: number;
  #object: ApiObject | undefined;
  /** The object after its eviction, or as parsed by a later read, until the garbage collector reclaims it. */
  #read: WeakRef<ApiObject> | undefined;

  constructor({ key, json, revision }: VersionFields) {
    this.key = key;
    this.json = json;
    this.revision = revision;
    Object.freeze(this);
  }

  /** Creates the version of an object at a revision, which becomes its `metadata.resourceVersion`. */
  static of(key: StoreKey, object: ApiObject, revision: number): ObjectVersion {
    const versioned: ApiObject = deepFreeze({
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(revision) },
    });
    const version = new ObjectVersion({ key, json: stringifyJson(versioned), revision });
    version.#object = versioned;
    written.add(version);
    return version;
  }

  get object(): ApiObject {
    const known = this.#object ?? this.#read?.deref();
    if (known !== undefined) return known;
    // The text was written from an ApiObject.
    const read = deepFreeze(parseJson(this.json) as unknown as ApiObject);
    this.#read = new WeakRef(read);
    return read;
  }

  get size(): number {
    return this.json.length;
  }

  /** Drops the parsed object unless it is used elsewhere; the text stays. */
  evict(): void {
    if (this.#object !== undefined) this.#read = new WeakRef(this.#object);
    this.#object = undefined;
  }
}
