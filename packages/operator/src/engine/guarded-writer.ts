import { isConflict, objectKeyOf, StatusError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { AnyCustomKind, ObjectOf } from "@levelset/core";
import { fieldChange, managerOf } from "../cache/index.ts";
import { withRunDeadline } from "./run-deadline.ts";
import type { RunBasis } from "./run-basis.ts";
import type { RunDependencies } from "./run-dependencies.ts";

/** A write of a run that the server rejected with Conflict because another client had written the object. */
export interface WriteConflict {
  /** A field that the other client changed. Fields that the run depends on take precedence. */
  readonly field: string;
  /** The field manager of the other client according to managedFields; undefined if they do not show it. */
  readonly manager: string | undefined;
}

/** A request that writes the object of a run. */
export type Write<K extends AnyCustomKind> = (signal: AbortSignal) => Promise<ObjectOf<K>>;

/** Maximum number of attempts per write, each against a newer version. */
const ATTEMPTS_MAX = 5;

/**
 * Writes the object of a run with optimistic locking: each write carries the resourceVersion that it was computed from.
 * After a conflict it reads the object again. If everything that the run depends on is unchanged, it recomputes and
 * resends the write. Otherwise, or after five attempts, it throws a Conflict `StatusError`, and the object is
 * reconciled again.
 */
export class GuardedWriter<K extends AnyCustomKind> {
  readonly #kind: K;
  readonly #basis: RunBasis<K>;
  readonly #tools: RunDependencies;
  readonly #conflicts: WriteConflict[] = [];
  #object: ObjectOf<K>;
  #writes = 0;

  constructor(kind: K, object: ObjectOf<K>, basis: RunBasis<K>, tools: RunDependencies) {
    this.#kind = kind;
    this.#object = object;
    this.#basis = basis;
    this.#tools = tools;
  }

  /** The version that was last written or read. */
  get object(): ObjectOf<K> {
    return this.#object;
  }

  /** The number of successful writes. */
  get writes(): number {
    return this.#writes;
  }

  get conflicts(): readonly WriteConflict[] {
    return this.#conflicts;
  }

  /** Sends the write that `compute` returns for the latest version, or does nothing if it returns undefined. */
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

  /** Throws a conflict if a step read metadata of the first version after an early write was based on a later one. */
  #check(): void {
    const path = this.#basis.changeIn(this.#object);
    if (path !== undefined) throw new StatusError("Conflict", `${path} changed during the run`);
  }

  /** Reads the current version from the server. */
  async #refresh(refusal: Error, isLast: boolean): Promise<void> {
    const { client, logger, observe } = this.#tools;
    const before = this.#object;
    const fresh = await this.#limited((signal) => client.get(this.#kind, objectKeyOf(before), { signal }));
    if (fresh.metadata.resourceVersion === before.metadata.resourceVersion) {
      throw new Error(`conflict on the latest version of the object: ${refusal.message}`, { cause: refusal });
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
    return withRunDeadline(this.#tools, (budget) => budget.race(request(budget.signal)));
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
