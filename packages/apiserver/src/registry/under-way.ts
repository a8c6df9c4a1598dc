import type { ApiObject } from "../store/index.ts";

/** Objects on their way into the store. What they claim, such as an address, is taken before they are there. */
export class UnderWay {
  readonly #objects: Map<string, Set<ApiObject>> = new Map();

  /** Runs a write. Until it is done, its object is among those of the resource. */
  async during<T>(resource: string, object: ApiObject, write: () => Promise<T>): Promise<T> {
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
