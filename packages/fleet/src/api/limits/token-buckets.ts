import { InputError } from "@levelset/core";
import type { Rate } from "./limits-config.ts";

/** How many buckets are remembered. The one that was not asked for longest is forgotten first, which makes it full. */
const BUCKETS_MAX = 10_000;

/** What sums of fractions may be off by. */
const EPSILON = 1e-6;

interface Bucket {
  readonly tokens: number;
  readonly time: number;
}

/** A bucket of tokens for each key: it fills at a rate, up to a limit, and every request takes one. */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #buckets = new Map<string, Bucket>();

  /** Throws an InputError that names the field if no request could ever pass. */
  constructor(rate: Rate, field: string) {
    if (!(rate.perSecond > 0)) throw new InputError(`${field}.per_second: must be more than 0`);
    if (!(rate.burst >= 1)) throw new InputError(`${field}.burst: must be at least 1`);
    this.#rate = rate;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  /** How long to wait for the next token; 0 if one is there. */
  waitMs(key: string, now: number): number {
    const missing = 1 - this.#tokens(key, now);
    return missing <= EPSILON ? 0 : Math.ceil((missing / this.#rate.perSecond) * 1_000);
  }

  /** Takes a token that is there. */
  take(key: string, now: number): void {
    const tokens = this.#tokens(key, now) - 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens, time: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > BUCKETS_MAX && oldest !== undefined) this.#buckets.delete(oldest);
  }

  #tokens(key: string, now: number): number {
    const { perSecond, burst } = this.#rate;
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return burst;
    // A clock that was set back takes nothing away.
    return Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.time) * perSecond) / 1_000);
  }
}
