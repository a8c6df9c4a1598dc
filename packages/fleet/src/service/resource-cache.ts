import { deepEqual } from "@levelset/core/internal";
import type { ResourceKey, StoredResource } from "../store/index.ts";
import { LruCache } from "@levelset/core/internal";

/**
 * Resources as this process last committed them. The adapters' reports on one resource arrive close together, so most
 * of them find the state that the previous one wrote. Entries may be outdated: a decision on one is valid only if its
 * commit verifies the revision, and all other uses must read the store.
 */
export class ResourceCache {
  readonly #stored: LruCache<string, StoredResource>;

  constructor(max: number) {
    this.#stored = new LruCache(max);
  }

  /** Removes and returns the entry of a key; the caller puts back the new state. */
  take({ id, kind, ownerId, scope }: ResourceKey): StoredResource | undefined {
    const found = this.#stored.get(id);
    if (found === undefined) return undefined;
    const { resource } = found;
    const isMeant =
      (kind === undefined || resource.kind === kind) &&
      (ownerId === undefined || resource.owner?.id === ownerId) &&
      (scope.kind === "all" || deepEqual(resource.tenancy, scope.tenancy));
    if (!isMeant) return undefined;
    this.#stored.delete(id);
    return found;
  }

  /** Adds a committed state unless a newer one is cached. Evicts the oldest entries. */
  put(stored: StoredResource): void {
    const { id } = stored.resource;
    const known = this.#stored.get(id);
    if (known !== undefined && known.revision >= stored.revision) return;
    this.#stored.set(id, stored);
  }
}
