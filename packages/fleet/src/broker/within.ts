import type { Clock } from "@levelset/core";
import { BrokerUnavailable } from "./errors.ts";

/** A limit in time for something that may never answer. */
export interface Limit {
  readonly clock: Clock;
  readonly ms: number;
  /** What is waited for, for the error. */
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
}

/** The result of `work`, or `BrokerUnavailable` when it takes too long or is not wanted any more. `work` itself goes on unheard. */
export function within<T>(limit: Limit, work: Promise<T>): Promise<T> {
  const { clock, ms, what, signal } = limit;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      timer.cancel();
      signal?.removeEventListener("abort", onAbort);
    };
    const fail = (message: string): void => {
      end();
      reject(new BrokerUnavailable(message));
    };
    const onAbort = (): void => fail(`${what}: given up`);
    const timer = clock.after(ms, () => fail(`${what}: no answer within ${ms} ms`));
    signal?.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(end);
    if (signal?.aborted === true) onAbort();
  });
}
