import { deepEqual } from "@levelset/core/internal";
import type { KubeObject, ObjectMeta } from "@levelset/core";

/** The parts of metadata that hold a value per key. */
type MapName = "labels" | "annotations";

/**
 * Records which metadata of its object a run uses: fields that it reads, and label and annotation keys that it reads,
 * tests for, writes or removes. Listing the keys of a map uses the whole map; listing the fields of metadata uses all
 * of it.
 */
export class MetadataUse {
  readonly #fields = new Set<string>();
  readonly #keys: Readonly<Record<MapName, Set<string>>> = { labels: new Set(), annotations: new Set() };
  #isAll = false;

  /** Records that all metadata is used. */
  all(): void {
    this.#isAll = true;
  }

  /** Returns a read-only view of an object that records reads of its metadata. */
  tracked<O extends KubeObject>(object: O): O {
    const { labels, annotations } = object.metadata;
    const maps = { labels: this.#view("labels", labels), annotations: this.#view("annotations", annotations) };
    const metadata: ObjectMeta = {
      ...object.metadata,
      ...(labels === undefined ? {} : { labels: maps.labels }),
      ...(annotations === undefined ? {} : { annotations: maps.annotations }),
    };
    const shown = Object.freeze(
      Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined)),
    );
    const view = new Proxy(shown, {
      get: (target, name) => {
        // An absent map reads as an empty one, so that tests for keys are recorded.
        if (name === "labels" || name === "annotations") return maps[name];
        this.#use(name);
        return Reflect.get(target, name) as unknown;
      },
      has: (target, name) => {
        this.#use(name);
        return name in target;
      },
      ownKeys: (target) => {
        this.all();
        return Reflect.ownKeys(target);
      },
      getOwnPropertyDescriptor: (target, name) => {
        this.#use(name);
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
    return Object.freeze({ ...object, metadata: view });
  }

  /** Returns a writable view of labels or annotations that records reads and writes. */
  draft(map: MapName, values: Record<string, string>): Record<string, string> {
    return new Proxy(values, {
      ...this.#reading(map),
      set: (target, key, value: string) => {
        this.#useKey(map, key);
        return Reflect.set(target, key, value);
      },
      defineProperty: (target, key, descriptor) => {
        this.#useKey(map, key);
        return Reflect.defineProperty(target, key, descriptor);
      },
      deleteProperty: (target, key) => {
        this.#useKey(map, key);
        return Reflect.deleteProperty(target, key);
      },
    });
  }

  /**
   * Returns the path of used metadata that differs between the two versions, or undefined if all used metadata is
   * equal.
   */
  changeIn(seen: ObjectMeta, other: ObjectMeta): string | undefined {
    for (const map of ["labels", "annotations"] as const) {
      for (const key of this.#keys[map]) {
        if (seen[map]?.[key] !== other[map]?.[key]) return `metadata.${map}.${key}`;
      }
    }
    const [before, after] = [fieldsOf(seen), fieldsOf(other)];
    const fields = this.#isAll ? new Set([...Object.keys(before), ...Object.keys(after)]) : this.#fields;
    for (const field of fields) if (!deepEqual(before[field], after[field])) return `metadata.${field}`;
    return undefined;
  }

  #view(map: MapName, values: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
    return new Proxy(Object.freeze({ ...values }), this.#reading(map));
  }

  #reading(map: MapName): ProxyHandler<Record<string, string>> {
    return {
      get: (target, key) => {
        this.#useKey(map, key);
        return Reflect.get(target, key) as unknown;
      },
      has: (target, key) => {
        this.#useKey(map, key);
        return Reflect.has(target, key);
      },
      ownKeys: (target) => {
        this.#fields.add(map);
        return Reflect.ownKeys(target);
      },
      getOwnPropertyDescriptor: (target, key) => {
        this.#useKey(map, key);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    };
  }

  #use(name: string | symbol): void {
    if (typeof name === "string") this.#fields.add(name);
  }

  #useKey(map: MapName, key: string | symbol): void {
    if (typeof key === "string") this.#keys[map].add(key);
  }
}

/** Returns the fields that a run can read: cached objects have no managedFields. */
function fieldsOf(metadata: ObjectMeta): Readonly<Record<string, unknown>> {
  const { managedFields: _managers, ...fields } = metadata;
  return { ...fields };
}
