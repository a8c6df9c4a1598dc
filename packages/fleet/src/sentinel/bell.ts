import type { Clock } from "@levelset/core";

/** Wakes whoever waits for something to happen. A ring that nobody waits for is kept for the next one who does. */
export class Bell {
  readonly #clock: Clock;
  #isRung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, after `ms`, or when `signal` aborts; true if it rang. Only one may wait at a time. */
  async wait(ms: number, signal?: AbortSignal): Promise<boolean> {
    if (!this.#isRung && signal?.aborted !== true) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = this.#clock.after(ms, resolve);
      const end = (): void => resolve();
      signal?.addEventListener("abort", end, { once: true });
      this.#wake = end;
      await promise;
      this.#wake = undefined;
      signal?.removeEventListener("abort", end);
      timer.cancel();
    }
    const isRung = this.#isRung;
    this.#isRung = false;
    return isRung;
  }
}
