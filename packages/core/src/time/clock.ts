/**
 * Time, as something that is handed in. Nothing outside this folder reads the wall clock or sets a timer, so a whole
 * cluster with its operators can run under a virtual clock (`core/testing`).
 */
export interface Clock {
  /** Milliseconds since the epoch: the wall clock. For timestamps. It can be stepped in either direction, so no duration is measured by it. */
  now(): number;
  /**
   * Whole milliseconds since some fixed moment, never going back: for durations. It may stand still while the machine is suspended; a permission that must not
   * outlive its time asks both clocks, with a `Deadline`.
   */
  monotonic(): number;
  /** Resolves after `ms` of monotonic time; rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `run` once after `ms` of monotonic time, unless the returned timer is cancelled first. */
  after(ms: number, run: () => void): Timer;
}

/** A pending call made with `Clock.after`. Cancelling twice, or after it ran, does nothing. */
export interface Timer {
  cancel(): void;
}

/** The longest delay that the platform's timers take; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The platform's clocks and timers. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),
  sleep: (ms, signal) => sleepWith(realClock, ms, signal),
  after: (ms, run) => {
    const handle = setTimeout(run, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return { cancel: () => clearTimeout(handle) };
  },
};

/** `Clock.sleep` in terms of `Clock.after`: every clock sleeps alike. */
export function sleepWith(clock: Pick<Clock, "after">, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(abortReason(signal));
    const onAbort = (): void => {
      timer.cancel();
      if (signal !== undefined) reject(abortReason(signal));
    };
    const timer = clock.after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException("This operation was aborted", "AbortError");
}
