import { LinkedAbortController, onAbort } from "@levelset/core/internal";
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
export async function withDeadline<T>(limit: DeadlineOptions, work: Promise<T>): Promise<T> {
  const { clock, ms, what, signal } = limit;
  const error = (): Error => new BrokerUnavailableError(`${what}: no response within ${ms} ms`);
  using deadline = new LinkedAbortController([], { clock, ms, error });
  using _ = onAbort(signal, () => deadline.abort(new BrokerUnavailableError(`${what}: aborted`)));
  return await deadline.race(work);
}
