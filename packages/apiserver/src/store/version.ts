import { deepFreeze, parseJson, stringifyJson } from "@levelset/core";
import type { ApiObject, StoredRecord, StoreKey } from "./contract.ts";
import { Recent } from "./recent.ts";
import type { Releasable } from "./recent.ts";

/** The parts of a version that are kept. */
interface VersionFields {
  readonly key: StoreKey;
  readonly json: string;
  readonly revision: number;
}

/** What was written lately is looked at next, by watchers and by whoever changes it again. */
const written = new Recent({ countMax: 64, sizeMax: 4 * 1024 * 1024 });

/**
 * One version of one object. What it keeps is the text. The object beside it stays for a while after the write and is read from
 * the text again when somebody asks for it later, so that ten thousand objects cost their text and little more.
 */
export class Version implements StoredRecord, Releasable {
  readonly key: StoreKey;
  readonly json: string;
  readonly revision: number;
  #object: ApiObject | undefined;
  /** An object that was read again stays for as long as memory allows. */
  #read: WeakRef<ApiObject> | undefined;

  constructor({ key, json, revision }: VersionFields) {
    this.key = key;
    this.json = json;
    this.revision = revision;
    Object.freeze(this);
  }

  /** Writes an object down under its revision. */
  static of(key: StoreKey, object: ApiObject, revision: number): Version {
    const versioned: ApiObject = deepFreeze({
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(revision) },
    });
    const version = new Version({ key, json: stringifyJson(versioned), revision });
    version.#object = versioned;
    written.hold(version);
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

  /** Keeps the text alone. */
  release(): void {
    this.#object = undefined;
  }
}
