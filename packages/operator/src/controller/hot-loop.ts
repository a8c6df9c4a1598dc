import type { Clock } from "@levelset/core";
import { CALM, counted, delayMs } from "../apply/index.ts";
import type { Throttle, ThrottleLimits } from "../apply/index.ts";

/** When an object counts as hot, and how it is cooled. */
export interface HotLoopLimits {
  /** Runs that wrote something, within the window, without a change of spec. */
  readonly runs: number;
  readonly windowMs: number;
  /** The first delay; it doubles as long as the object stays hot. */
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Limits that no healthy object comes near. */
export const HOT_LOOP: HotLoopLimits = { runs: 20, windowMs: 60_000, firstMs: 1_000, maxMs: 60_000 };

/** An object that keeps being written though nobody asked for anything new. */
export interface HotLoop {
  /** The field that changes most often. */
  readonly field: string;
  /** Another object that most of the runs wrote: what the field tells may only follow from it. */
  readonly other?: string;
  readonly runs: number;
  /** How long its next run has to wait. */
  readonly delayMs: number;
}

interface Heat {
  readonly generation: number | undefined;
  /** Counts the runs that wrote something. */
  throttle: Throttle;
  readonly changes: Map<string, number>;
  /** How often other objects were written. */
  readonly others: Map<string, number>;
}

/**
 * Notices two writers that undo each other's work, or one that never writes the same thing twice: the classic way in which an
 * operator burns a cluster. Such an object is slowed down, and the field that flaps is named.
 */
export class HotLoopGuard {
  readonly #clock: Clock;
  readonly #limits: ThrottleLimits;
  readonly #heat = new Map<string, Heat>();

  constructor(clock: Clock, limits: HotLoopLimits = HOT_LOOP) {
    this.#clock = clock;
    const { runs, ...delays } = limits;
    this.#limits = { max: runs, ...delays };
  }

  /** How long a key has to wait before its next run. A new spec need not wait for what an old one did. */
  delayMs(key: string, generation: number | undefined): number {
    const heat = this.#heat.get(key);
    if (heat === undefined || heat.generation !== generation) return 0;
    return delayMs(heat.throttle, this.#clock.monotonic());
  }

  /** Takes note of a run that wrote these fields of the object, and these other objects. Answers when the object is hot. */
  ended(
    key: string,
    generation: number | undefined,
    fields: readonly string[],
    others: readonly string[] = [],
  ): HotLoop | undefined {
    const present = this.#heat.get(key);
    if (fields.length === 0 || present?.generation !== generation) this.#heat.delete(key);
    if (fields.length === 0) return undefined;
    const heat = this.#heat.get(key) ?? { generation, throttle: CALM, changes: new Map(), others: new Map() };
    this.#heat.set(key, heat);
    const now = this.#clock.monotonic();
    heat.throttle = counted(heat.throttle, now, this.#limits);
    for (const field of fields) heat.changes.set(field, (heat.changes.get(field) ?? 0) + 1);
    for (const other of others) heat.others.set(other, (heat.others.get(other) ?? 0) + 1);
    if (heat.throttle.level === 0) return undefined;
    const [field, count] = mostOften(heat.changes);
    const [other, written] = mostOften(heat.others);
    return { field, runs: count, delayMs: delayMs(heat.throttle, now), ...(written * 2 > count ? { other } : {}) };
  }

  /** Forgets a key: it is gone, or somebody looks after it. */
  reset(key: string): void {
    this.#heat.delete(key);
  }
}

function mostOften(counts: ReadonlyMap<string, number>): readonly [string, number] {
  const [first = ["", 0] as const] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first;
}
