import type { Clock } from "@levelset/core";
import { BrokerUnavailableError } from "./broker-errors.ts";

/** A timeout for an operation. */
export interface DeadlineOptions {
  readonly clock: Clock;
  readonly ms: number;
  /** The operation, for the error message. */
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the result of `work`. Rejects with `BrokerUnavailableError` on timeout or abort; `work` continues and its
 * result is ignored.
 */
export function withDeadline<T>(limit: DeadlineOptions, work: Promise<T>): Promise<T> {
  const { clock, ms, what, signal } = limit;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      timer.cancel();
      signal?.removeEventListener("abort", onAbort);
    };
    const fail = (message: string): void => {
      end();
      reject(new BrokerUnavailableError(message));
    };
    const onAbort = (): void => fail(`${what}: aborted`);
    const timer = clock.after(ms, () => fail(`${what}: no response within ${ms} ms`));
    signal?.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(end);
    if (signal?.aborted === true) onAbort();
  });
}
