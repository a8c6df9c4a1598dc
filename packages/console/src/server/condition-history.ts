import type { Condition } from "@levelset/core";
import type { ConditionChange } from "../api/index.ts";

/** How many earlier states of one condition are kept, and of how many objects. */
const STATES_MAX = 10;
const OBJECTS_MAX = 5_000;

interface Remembered {
  latest: ConditionChange;
  earlier: readonly ConditionChange[];
}

/** What the conditions of objects were before, for as long as somebody has looked. Objects that change least recently are forgotten first. */
export class ConditionHistory {
  /** By the object's uid, then by the type of the condition. */
  readonly #objects = new Map<string, Map<string, Remembered>>();

  /** Takes note of an object's conditions. */
  observe(uid: string, conditions: readonly Condition[]): void {
    const known = this.#objects.get(uid) ?? new Map<string, Remembered>();
    this.#objects.delete(uid);
    this.#objects.set(uid, known);
    for (const condition of conditions) remember(known, condition);
    if (this.#objects.size <= OBJECTS_MAX) return;
    const [oldest] = this.#objects.keys();
    if (oldest !== undefined) this.#objects.delete(oldest);
  }

  forget(uid: string): void {
    this.#objects.delete(uid);
  }

  /** The earlier states of a condition, the newest first. */
  of(uid: string, type: string): readonly ConditionChange[] {
    return this.#objects.get(uid)?.get(type)?.earlier ?? [];
  }
}

function remember(known: Map<string, Remembered>, condition: Condition): void {
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
