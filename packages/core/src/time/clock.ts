/**
 * The time source, passed in as a dependency. Only this folder reads the wall clock or sets timers, so a whole cluster
 * with its operators can run on a virtual clock (`core/testing`).
 */
export interface Clock {
  /**
   * Milliseconds since the epoch (wall clock), for timestamps. The wall clock can be stepped in either direction, so it
   * must not be used for durations.
   */
  now(): number;
  /**
   * Whole milliseconds since a fixed instant, never decreasing, for durations. It may stop while the machine is
   * suspended. Use a `Deadline` for permissions that must not outlive their time.
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

/** The longest delay that the platform's timers support. A longer delay fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clocks and timers of the platform. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),
  sleep: (ms, signal) => sleepOnClock(realClock, ms, signal),
  after: (ms, run) => {
    const handle = setTimeout(run, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Implements `Clock.sleep` with `Clock.after`. */
export function sleepOnClock(clock: Pick<Clock, "after">, ms: number, signal: AbortSignal | undefined): Promise<void> {
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
