import { realClock } from "@levelset/core";
import { withTimeout as settleInTime } from "@levelset/core/internal";

const DEADLINE_MS = 30_000;

/** Rejects if the promise takes longer. */
export function withTimeout<T>(what: string, promise: Promise<T>, ms = DEADLINE_MS): Promise<T> {
  return settleInTime({ clock: realClock, ms, error: () => new Error(`${what}: not within ${ms} ms`) }, promise);
}
