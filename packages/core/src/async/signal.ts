import type { Clock } from "../time/index.ts";

/** Resumes a waiting loop. A notification without a waiter is kept for the next `wait`. */
export class Signal {
  readonly #clock: Clock;
  #isNotified = false;
  #notify: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  notify(): void {
    this.#isNotified = true;
    this.#notify?.();
  }

  /**
   * Resolves at the next notification, after `ms`, or when `signal` aborts; true if notified. Only one caller may wait
   * at a time.
   */
  async wait(ms: number, signal?: AbortSignal): Promise<boolean> {
    if (!this.#isNotified && signal?.aborted !== true) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = this.#clock.after(ms, resolve);
      const end = (): void => resolve();
      signal?.addEventListener("abort", end, { once: true });
      this.#notify = end;
      await promise;
      this.#notify = undefined;
      signal?.removeEventListener("abort", end);
      timer.cancel();
    }
    return this.take();
  }

  /** Returns true if a notification is kept for the next `wait`, and removes it. */
  take(): boolean {
    const isNotified = this.#isNotified;
    this.#isNotified = false;
    return isNotified;
  }
}
