import { InputError } from "@levelset/core";
import { LruCache, TokenBucket } from "@levelset/core/internal";
import type { Rate } from "./limits-config.ts";

/** The maximum number of buckets. The least recently used is evicted first, which refills it. */
const BUCKETS_MAX = 10_000;

/** A token bucket per key: it refills at a rate up to the burst, and every request takes one token. */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #buckets = new LruCache<string, TokenBucket>(BUCKETS_MAX);

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
    return this.#buckets.get(key)?.waitMs(now) ?? 0;
  }

  /** Takes an available token. */
  take(key: string, now: number): void {
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#rate);
    bucket.take(now);
    this.#buckets.set(key, bucket);
  }
}
