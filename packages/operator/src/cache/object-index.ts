import type { KubeObject } from "@levelset/core";

/** The values under which an object is found. */
export type IndexFunction<O extends KubeObject> = (object: O) => readonly string[];

/** Finds objects by a value of theirs instead of looking at all. Kept by the store that holds them. */
export class ObjectIndex<O extends KubeObject> {
  readonly #valuesOf: IndexFunction<O>;
  /** value → key → object. */
  readonly #found = new Map<string, Map<string, O>>();

  constructor(valuesOf: IndexFunction<O>) {
    this.#valuesOf = valuesOf;
  }

  /** All objects with this value. */
  get(value: string): readonly O[] {
    return [...(this.#found.get(value)?.values() ?? [])];
  }

  /** One version of an object takes the place of another; either may be absent. */
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
