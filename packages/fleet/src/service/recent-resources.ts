import { deepEqual } from "@levelset/core";
import type { ResourceKey, Stored } from "../store/index.ts";

/**
 * Resources as this process last left them. Reports on one resource come close together, one from each adapter, so that most of them find what the one before has just
 * written. What is here may be old: a decision made on it holds only if its commit finds the same revision, and whatever is not committed that way must be read.
 */
export class RecentResources {
  readonly #max: number;
  readonly #stored = new Map<string, Stored>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes out what is known under a key; whoever uses it puts back what came of it. */
  take({ id, kind, ownerId, scope }: ResourceKey): Stored | undefined {
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

  /** Keeps what a commit has left, unless something newer is known. The oldest go when there are too many. */
  keep(stored: Stored): void {
    const { id } = stored.resource;
    const known = this.#stored.get(id);
    if (known !== undefined && known.revision >= stored.revision) return;
    this.#stored.delete(id);
    this.#stored.set(id, stored);
    if (this.#stored.size <= this.#max) return;
    for (const oldest of this.#stored.keys()) {
      this.#stored.delete(oldest);
      return;
    }
  }
}
