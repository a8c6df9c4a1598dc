/** A sustained rate, and how many may pass at once. */
export interface TokenRate {
  readonly perSecond: number;
  /** At least 1. */
  readonly burst: number;
}

/** Tolerance for rounding errors. */
const EPSILON = 1e-6;

/** A token bucket: it starts full and refills at a rate up to the burst. All times are monotonic. */
export class TokenBucket {
  readonly #rate: TokenRate;
  #tokens: number;
  #time = Number.NEGATIVE_INFINITY;

  constructor(rate: TokenRate) {
    this.#rate = rate;
    this.#tokens = rate.burst;
  }

  /** Returns how long to wait for the next token; 0 if one is available. */
  waitMs(now: number): number {
    const missing = 1 - this.#available(now);
    return missing <= EPSILON ? 0 : Math.ceil((missing / this.#rate.perSecond) * 1_000);
  }

  /** Takes an available token. */
  take(now: number): void {
    this.#tokens = this.#available(now) - 1;
    this.#time = now;
  }

  #available(now: number): number {
    const { perSecond, burst } = this.#rate;
    // A clock that is set back removes no tokens.
    return Math.min(burst, this.#tokens + (Math.max(0, now - this.#time) * perSecond) / 1_000);
  }
}
