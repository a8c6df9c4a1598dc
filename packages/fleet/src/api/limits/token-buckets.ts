import { InputError } from "@levelset/core";
import { LruCache } from "@levelset/core/internal";
import type { Rate } from "./limits-config.ts";

/** The maximum number of buckets. The least recently used is evicted first, which refills it. */
const BUCKETS_MAX = 10_000;

/** Tolerance for rounding errors. */
const EPSILON = 1e-6;

interface Bucket {
  readonly tokens: number;
  readonly time: number;
}

/** A token bucket per key: it refills at a rate up to the burst, and every request takes one token. */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #buckets = new LruCache<string, Bucket>(BUCKETS_MAX);

  /** Throws an `InputError` that names the field if no request could ever pass. */
  constructor(rate: Rate, field: string) {
    if (!(rate.perSecond > 0)) throw new InputError(`${field}.per_second: must be more than 0`);
    if (!(rate.burst >= 1)) throw new InputError(`${field}.burst: must be at least 1`);
    this.#rate = rate;
  }

  /** The number of buckets. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Returns how long to wait for the next token; 0 if one is available. */
  waitMs(key: string, now: number): number {
    const missing = 1 - this.#tokens(key, now);
    return missing <= EPSILON ? 0 : Math.ceil((missing / this.#rate.perSecond) * 1_000);
  }

  /** Takes an available token. */
  take(key: string, now: number): void {
    const tokens = this.#tokens(key, now) - 1;
    this.#buckets.set(key, { tokens, time: now });
  }

  #tokens(key: string, now: number): number {
    const { perSecond, burst } = this.#rate;
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return burst;
    // A clock that is set back removes no tokens.
    return Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.time) * perSecond) / 1_000);
  }
}
