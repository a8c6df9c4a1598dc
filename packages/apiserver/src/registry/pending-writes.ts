import type { ApiObject } from "../store/index.ts";

/** Objects whose write has not completed. Unique values such as addresses are reserved during the write. */
export class PendingWrites {
  readonly #objects: Map<string, Set<ApiObject>> = new Map();

  /** Runs a write. The object is listed as pending until the write settles. */
  async track<T>(resource: string, object: ApiObject, write: () => Promise<T>): Promise<T> {
    const objects = this.#objects.get(resource) ?? new Set();
    this.#objects.set(resource, objects);
    objects.add(object);
    try {
      return await write();
    } finally {
      objects.delete(object);
    }
  }

  of(resource: string): Iterable<ApiObject> {
    return this.#objects.get(resource) ?? [];
  }
}
