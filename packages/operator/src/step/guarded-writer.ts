import { isConflict, keyOf, StatusError, toError } from "@levelset/core";
import type { AnyCustomKind, ObjectOf } from "@levelset/core";
import { fieldChange, managerOf } from "../cache/index.ts";
import { Budget } from "./budget.ts";
import type { RunBasis } from "./run-basis.ts";
import type { RunTools } from "./run-tools.ts";

/** A write of a run that the server refused because another client had written the object in the meantime. */
export interface WriteConflict {
  /** A field that the other client changed: one that the run depends on, if there is one. */
  readonly field: string;
  /** The field manager of the other client, as far as managedFields say. */
  readonly manager: string | undefined;
}

/** A request that writes the object of a run. */
export type Write<K extends AnyCustomKind> = (signal: AbortSignal) => Promise<ObjectOf<K>>;

/** How often one write is sent at most, each time for a newer version. */
const ATTEMPTS_MAX = 5;

/**
 * Writes the object of a run, each time for the version that the write was computed from. After a conflict it reads the object anew.
 * Where everything that the run depends on is unchanged, it computes the write for that version and sends it again; otherwise it
 * throws the conflict, and the object is run again.
 */
export class GuardedWriter<K extends AnyCustomKind> {
  readonly #kind: K;
  readonly #basis: RunBasis<K>;
  readonly #tools: RunTools;
  readonly #conflicts: WriteConflict[] = [];
  #object: ObjectOf<K>;
  #writes = 0;

  constructor(kind: K, object: ObjectOf<K>, basis: RunBasis<K>, tools: RunTools) {
    this.#kind = kind;
    this.#object = object;
    this.#basis = basis;
    this.#tools = tools;
  }

  /** The latest version that is known: the last one that was written or read. */
  get object(): ObjectOf<K> {
    return this.#object;
  }

  /** How many writes were made. */
  get writes(): number {
    return this.#writes;
  }

  get conflicts(): readonly WriteConflict[] {
    return this.#conflicts;
  }

  /** Makes the write that `compute` returns for the latest version, if any. */
  async write(compute: (object: ObjectOf<K>) => Write<K> | undefined): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      this.#check();
      const write = compute(this.#object);
      if (write === undefined) return;
      try {
        this.#object = await this.#limited(write);
        this.#writes++;
        return;
      } catch (error) {
        if (!isConflict(error)) throw error;
        await this.#refresh(toError(error), attempt === ATTEMPTS_MAX);
        if (attempt === ATTEMPTS_MAX) throw error;
      }
    }
  }

  /** A step may have used metadata of the first version after an early write was made for a later one. */
  #check(): void {
    const path = this.#basis.changeIn(this.#object);
    if (path !== undefined) throw new StatusError("Conflict", `${path} has changed during the run`);
  }

  /** Reads the object as the server has it now. */
  async #refresh(refusal: Error, isLast: boolean): Promise<void> {
    const { client, logger, observe } = this.#tools;
    const before = this.#object;
    const fresh = await this.#limited((signal) => client.get(this.#kind, keyOf(before), { signal }));
    if (fresh.metadata.resourceVersion === before.metadata.resourceVersion) {
      throw new Error(`the server refused a write of the latest version: ${refusal.message}`, { cause: refusal });
    }
    observe(fresh);
    this.#object = fresh;
    const path = this.#basis.changeIn(fresh);
    const conflict = describe(before, fresh, path);
    this.#conflicts.push(conflict);
    const action = path === undefined && !isLast ? "write again" : "run again";
    logger.info("write conflict", { ...conflict, action });
  }

  #limited(request: Write<K>): Promise<ObjectOf<K>> {
    return Budget.give(this.#tools, (budget) => budget.within(request(budget.signal)));
  }
}

function describe<K extends AnyCustomKind>(
  before: ObjectOf<K>,
  fresh: ObjectOf<K>,
  path: string | undefined,
): WriteConflict {
  const managers = fresh.metadata.managedFields ?? [];
  if (path !== undefined) return { field: path, manager: managerOf(path, managers) };
  const change = fieldChange(before, fresh, managers);
  return { field: change?.field ?? "metadata", manager: change?.manager };
}
