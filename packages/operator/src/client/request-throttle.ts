import { abortError, onAbort, retryAfterOf, TokenBucket } from "@levelset/core/internal";
import { StatusError } from "@levelset/core";
import type { TokenRate } from "@levelset/core/internal";
import type { Clock, Random, Timer } from "@levelset/core";

/** Why a request waits: for the configured rate, or because the server asked to hold back. */
export type ThrottleReason = "qps" | "retry-after";

/** Options of {@link RequestThrottle}. */
export interface RequestThrottleOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Absent: requests are not limited until the server asks to hold back. */
  readonly rate?: TokenRate | undefined;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A request waits at most for a Retry-After of this length; a longer one fails it at once. */
export const RETRY_AFTER_MAX_MS = 10_000;
/** A pause is extended by up to this fraction, so that many processes do not continue at the same time. */
const PAUSE_SPREAD = 0.2;
const PAUSE_WAIT_MAX_MS = RETRY_AFTER_MAX_MS * (1 + PAUSE_SPREAD);
/** Distance between the requests that waited for the end of a pause. */
const SPACING_MS = 50;

/**
 * Limits the requests of all clients that share it: to a rate, and to none while the server asks to hold back. Requests
 * wait in order of arrival. A request that starts a watch takes a token like any other, and the open watch has none.
 *
 * A response that asks to hold back (see `pauseOf`) pauses all requests, not only the one that was rejected, because
 * each of them would be rejected too. Afterwards the requests that waited start one by one: if the server rejects the
 * first of them, the others have not been sent.
 */
export class RequestThrottle {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #bucket: TokenBucket | undefined;
  readonly #waiters: Waiter[] = [];
  readonly #seconds: Record<ThrottleReason, number> = { qps: 0, "retry-after": 0 };
  /** In monotonic time. */
  #pausedUntil = 0;
  /** Whether the requests that wait have waited for the end of a pause. */
  #isRecovering = false;
  #blocked: { readonly reason: ThrottleReason; readonly since: number } | undefined;
  #timer: Timer | undefined;

  constructor({ clock, random, rate }: RequestThrottleOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#bucket = rate && new TokenBucket(rate);
  }

  /** Seconds that requests have waited, added up over all requests. */
  get waitedSeconds(): Readonly<Record<ThrottleReason, number>> {
    this.#count(this.#clock.monotonic());
    return this.#seconds;
  }

  /** How long the server still asks to hold back. */
  get pauseLeftMs(): number {
    return Math.max(0, this.#pausedUntil - this.#clock.monotonic());
  }

  /**
   * Resolves when a request may be sent; undefined if it may be sent at once. Rejects with an abort error, and with
   * TooManyRequests during a long pause.
   */
  admit(signal?: AbortSignal): Promise<void> | undefined {
    const now = this.#clock.monotonic();
    if (this.#waiters.length > 0 || this.#block(now) !== undefined) return this.#wait(signal);
    this.#bucket?.take(now);
    return undefined;
  }

  /** Pauses all requests if the response asks to hold back. */
  onFailure(error: unknown): void {
    const ms = pauseOf(error);
    if (ms === undefined) return;
    const end = this.#clock.monotonic() + ms * (1 + this.#random.next() * PAUSE_SPREAD);
    this.#pausedUntil = Math.max(this.#pausedUntil, Math.ceil(end));
    this.#drain();
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.pauseLeftMs > PAUSE_WAIT_MAX_MS) throw pausedError(this.pauseLeftMs);
    this.#count(this.#clock.monotonic());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { resolve, reject };
    this.#waiters.push(waiter);
    this.#drain();
    using _ = onAbort(signal, () => {
      const place = this.#waiters.indexOf(waiter);
      if (place === -1 || signal === undefined) return;
      this.#count(this.#clock.monotonic());
      this.#waiters.splice(place, 1);
      reject(abortError(signal));
      this.#drain();
    });
    await promise;
  }

  /** Admits the requests that may be sent now, and sets a timer for the next one. */
  #drain(): void {
    const now = this.#clock.monotonic();
    this.#count(now);
    this.#timer?.cancel();
    this.#blocked = undefined;
    if (this.pauseLeftMs > PAUSE_WAIT_MAX_MS) {
      for (const waiter of this.#waiters.splice(0)) waiter.reject(pausedError(this.pauseLeftMs));
    }
    while (this.#waiters.length > 0) {
      const block = this.#block(now);
      if (block !== undefined) {
        this.#blocked = { reason: block.reason, since: now };
        this.#isRecovering ||= block.reason === "retry-after";
        this.#timer = this.#clock.after(block.ms, () => this.#drain());
        return;
      }
      this.#bucket?.take(now);
      this.#waiters.shift()?.resolve();
      if (this.#isRecovering && this.#waiters.length > 0) this.#pausedUntil = now + SPACING_MS;
    }
    this.#isRecovering = false;
  }

  /** Returns why and how long the next request must wait; undefined if it may be sent. */
  #block(now: number): { readonly reason: ThrottleReason; readonly ms: number } | undefined {
    if (this.#pausedUntil > now) return { reason: "retry-after", ms: this.#pausedUntil - now };
    const ms = this.#bucket?.waitMs(now) ?? 0;
    return ms > 0 ? { reason: "qps", ms } : undefined;
  }

  /** Counts the time that the waiting requests have waited since the last call. */
  #count(now: number): void {
    if (this.#blocked === undefined) return;
    const { reason, since } = this.#blocked;
    this.#seconds[reason] += ((now - since) / 1_000) * this.#waiters.length;
    this.#blocked = { reason, since: now };
  }
}

/**
 * Returns how long a response asks all requests of a client to hold back: a 429 or 503 with Retry-After. API priority
 * and fairness responds so, and a server that starts or stops. Undefined if the response is about one object, such as
 * an eviction that a disruption budget rejects: its Status names the cause.
 */
export function pauseOf(error: unknown): number | undefined {
  if (!(error instanceof StatusError) || (error.code !== 429 && error.code !== 503)) return undefined;
  const { causes = [], name } = error.details ?? {};
  return causes.length > 0 || name !== undefined ? undefined : retryAfterOf(error);
}

function pausedError(leftMs: number): StatusError {
  const retryAfterSeconds = Math.ceil(leftMs / 1_000);
  return new StatusError(
    "TooManyRequests",
    `the request was not sent: the API server asked to hold back for another ${retryAfterSeconds} s`,
    { details: { retryAfterSeconds } },
  );
}
