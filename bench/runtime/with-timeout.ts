import { realClock } from "@levelset/core";
import { withTimeout as settleInTime } from "@levelset/core/internal";

/** Settles with `work`, or rejects after the timeout. */
export function withTimeout<T>(ms: number, problem: string, work: Promise<T>): Promise<T> {
  return settleInTime({ clock: realClock, ms, error: () => new Error(`${problem} for ${ms / 1000} s`) }, work);
}

/** Resolves after a time. */
export function sleep(ms: number): Promise<void> {
  return realClock.sleep(ms);
}
