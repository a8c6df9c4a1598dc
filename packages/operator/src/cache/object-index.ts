import type { KubeObject } from "@levelset/core";

/** Returns the index values of an object. */
export type IndexFunction<O extends KubeObject> = (object: O) => readonly string[];

/** Index of objects by computed values. The object store updates it. */
export class ObjectIndex<O extends KubeObject> {
  readonly #valuesOf: IndexFunction<O>;
  /** value → key → object. */
  readonly #found = new Map<string, Map<string, O>>();

  constructor(valuesOf: IndexFunction<O>) {
    this.#valuesOf = valuesOf;
  }

  /** Returns all objects with this value. */
  get(value: string): readonly O[] {
    return [...(this.#found.get(value)?.values() ?? [])];
  }

  /** Replaces one version of an object by another; either may be absent. */
  replace(key: string, before: O | undefined, after: O | undefined): void {
    if (before !== undefined) for (const value of this.#valuesOf(before)) this.#drop(value, key);
    if (after === undefined) return;
    for (const value of this.#valuesOf(after)) {
      const objects = this.#found.get(value) ?? new Map<string, O>();
      this.#found.set(value, objects);
      objects.set(key, after);
    }
  }

  #drop(value: string, key: string): void {
    const objects = this.#found.get(value);
    objects?.delete(key);
    if (objects?.size === 0) this.#found.delete(value);
  }
}
