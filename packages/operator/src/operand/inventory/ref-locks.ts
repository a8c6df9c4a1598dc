import { liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";

/** Use of locked objects: a new inventory lists them, or they are deleted. */
export type RefLockMode = "list" | "delete";

interface Claim {
  readonly use: RefLockMode;
  readonly count: number;
}

/**
 * In-process locks on objects that are about to be deleted or listed in a new inventory: never both at once. Otherwise
 * an inventory that is created between the last check and the deletion by another Operand would come too late. Between
 * processes the prune mark has this role: see `PRUNING`.
 */
export class RefLocks {
  readonly #claims = new Map<string, Claim>();

  /**
   * Runs the work while none of these objects is locked in the other mode. Returns undefined without running it if one
   * is.
   */
  async withLock<T extends object>(
    use: RefLockMode,
    refs: readonly LiveRef[],
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const ids = refs.map(liveRefId);
    if (ids.some((id) => (this.#claims.get(id)?.use ?? use) !== use)) return undefined;
    for (const id of ids) this.#add(id, use, 1);
    try {
      return await work();
    } finally {
      for (const id of ids) this.#add(id, use, -1);
    }
  }

  #add(id: string, use: RefLockMode, more: 1 | -1): void {
    const count = (this.#claims.get(id)?.count ?? 0) + more;
    if (count === 0) this.#claims.delete(id);
    else this.#claims.set(id, { use, count });
  }
}
