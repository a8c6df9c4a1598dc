import { BACKOFFS } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import { CALM, counted, delayMs } from "../apply/index.ts";
import type { Throttle, ThrottleLimits } from "../apply/index.ts";

/** Thresholds and delays of the hot-loop guard. */
export interface HotLoopLimits {
  /** Number of writing runs within the window, without a spec change, from which an object is hot. */
  readonly runs: number;
  readonly windowMs: number;
  /** The first delay. It doubles while the object stays hot. */
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Default limits, well above the write rate of a healthy object. */
export const HOT_LOOP: HotLoopLimits = { runs: 20, windowMs: 60_000, ...BACKOFFS.hotLoop };

/** An object that is written in every run although its spec is unchanged. */
export interface HotLoop {
  /** The field that changes most often. */
  readonly field: string;
  /** Another object that most runs wrote; the field may change only as a consequence of it. */
  readonly other?: string;
  readonly runs: number;
  /** Delay of its next run. */
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
 * Detects two clients that undo each other's writes, or a step that computes a different state in each run. Such an
 * object is throttled, and the field that changes most often is reported.
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

  /** Returns the delay of the next run of a key. A new generation is not delayed. */
  delayMs(key: string, generation: number | undefined): number {
    const heat = this.#heat.get(key);
    if (heat === undefined || heat.generation !== generation) return 0;
    return delayMs(heat.throttle, this.#clock.monotonic());
  }

  /**
   * Records a run that wrote these fields of the object and these other objects. Returns the loop if the object is hot.
   */
  recordRun(
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

  /** Resets a key: its object was deleted, or a person requested a run. */
  reset(key: string): void {
    this.#heat.delete(key);
  }
}

function mostOften(counts: ReadonlyMap<string, number>): readonly [string, number] {
  const [first = ["", 0] as const] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first;
}
