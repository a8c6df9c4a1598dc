import { LruCache } from "@levelset/core/internal";
import type { Condition } from "@levelset/core";
import type { ConditionChange } from "../../api/index.ts";

/** Maximum number of earlier states per condition, and of objects. */
const STATES_MAX = 10;
const OBJECTS_MAX = 5_000;

interface Recorded {
  latest: ConditionChange;
  earlier: readonly ConditionChange[];
}

/** Earlier states of conditions since the console started. The least recently changed objects are evicted first. */
export class ConditionHistory {
  /** By the UID of the object, then by condition type. */
  readonly #objects = new LruCache<string, Map<string, Recorded>>(OBJECTS_MAX);

  /** Records the conditions of an object. */
  observe(uid: string, conditions: readonly Condition[]): void {
    const known = this.#objects.getOrCreate(uid, () => new Map());
    for (const condition of conditions) record(known, condition);
  }

  /** Removes the history of an object. */
  forget(uid: string): void {
    this.#objects.delete(uid);
  }

  /** Returns the earlier states of a condition, newest first. */
  of(uid: string, type: string): readonly ConditionChange[] {
    return this.#objects.get(uid)?.get(type)?.earlier ?? [];
  }
}

function record(known: Map<string, Recorded>, condition: Condition): void {
  const { type, status, reason, message, lastTransitionTime: since } = condition;
  const now = { status, reason, message, since };
  const before = known.get(type);
  if (before === undefined) {
    known.set(type, { latest: now, earlier: [] });
    return;
  }
  const { latest } = before;
  const isSame = latest.status === status && latest.reason === reason;
  known.set(type, {
    latest: now,
    earlier: isSame ? before.earlier : [latest, ...before.earlier].slice(0, STATES_MAX),
  });
}
