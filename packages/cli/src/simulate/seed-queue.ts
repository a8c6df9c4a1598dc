import type { SeedFailure, SeedOutcome } from "./worker-message.ts";

/** Options of {@link SeedQueue}. */
export interface SeedRange {
  readonly firstSeed: number;
  /** Number of seeds. */
  readonly seeds: number;
  /** Number of failures after which no further seed is needed. */
  readonly failures: number;
}

/**
 * Hands out seeds and collects their results. The results do not depend on the order in which seeds finish: they are those
 * of the seeds up to the last needed failure, as if the seeds had run one after the other.
 */
export class SeedQueue {
  readonly #range: SeedRange;
  readonly #outcomes = new Map<number, SeedOutcome>();
  /** The seeds that failed, in their order. */
  #failed: readonly number[] = [];
  #next: number;
  /** The seed from which on seeds have not all finished. */
  #unfinished: number;

  constructor(range: SeedRange) {
    this.#range = range;
    this.#next = range.firstSeed;
    this.#unfinished = range.firstSeed;
  }

  get firstSeed(): number {
    return this.#range.firstSeed;
  }

  /** The number of finished seeds. */
  get finished(): number {
    return this.#outcomes.size;
  }

  /** The number of failures so far. */
  get failed(): number {
    return this.#failed.length;
  }

  /** Whether all needed seeds have finished. */
  get isDone(): boolean {
    return this.#unfinished > this.#lastNeeded;
  }

  /** Returns the next seeds, at most `count`; none if all needed ones were handed out. */
  take(count: number): readonly number[] {
    const size = Math.max(0, Math.min(count, this.#lastNeeded - this.#next + 1));
    const seeds = Array.from({ length: size }, (_, index) => this.#next + index);
    this.#next += size;
    return seeds;
  }

  add(outcome: SeedOutcome): void {
    this.#outcomes.set(outcome.seed, outcome);
    if (outcome.failure !== undefined) this.#failed = [...this.#failed, outcome.seed].toSorted((a, b) => a - b);
    while (this.#outcomes.has(this.#unfinished)) this.#unfinished += 1;
  }

  /** The results up to the last needed seed, in the order of seeds. */
  outcomes(): readonly SeedOutcome[] {
    const last = this.#lastNeeded;
    return [...this.#outcomes.values()].filter(({ seed }) => seed <= last).toSorted((a, b) => a.seed - b.seed);
  }

  /** The first failures, in the order of seeds. */
  failures(): readonly SeedFailure[] {
    return this.outcomes().flatMap(({ failure }) => failure ?? []);
  }

  /** The last seed of the range, or the seed of the last failure that is needed. */
  get #lastNeeded(): number {
    const { firstSeed, seeds, failures } = this.#range;
    return this.#failed[failures - 1] ?? firstSeed + seeds - 1;
  }
}
