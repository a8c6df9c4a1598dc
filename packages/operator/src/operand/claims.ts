import { refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";

/** What is about to happen to objects: a new inventory lists them, or they are deleted. */
export type ClaimUse = "list" | "delete";

interface Claim {
  readonly use: ClaimUse;
  readonly count: number;
}

/**
 * Objects that workers of this process are about to delete, or about to list in a new inventory: never both at a time. An inventory
 * that is made while another Operand looks for the last time whether anybody wants an object, and deletes it, would come too late.
 * Between processes the mark of a prune does the same: see `PRUNING`.
 */
export class Claims {
  readonly #claims = new Map<string, Claim>();

  /** Does the work while nobody claims any of these objects for the other use; undefined when somebody does. */
  async during<T extends object>(
    use: ClaimUse,
    refs: readonly LiveRef[],
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const ids = refs.map(refId);
    if (ids.some((id) => (this.#claims.get(id)?.use ?? use) !== use)) return undefined;
    for (const id of ids) this.#add(id, use, 1);
    try {
      return await work();
    } finally {
      for (const id of ids) this.#add(id, use, -1);
    }
  }

  #add(id: string, use: ClaimUse, more: 1 | -1): void {
    const count = (this.#claims.get(id)?.count ?? 0) + more;
    if (count === 0) this.#claims.delete(id);
    else this.#claims.set(id, { use, count });
  }
}
