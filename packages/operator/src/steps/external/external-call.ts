import { isProgrammingError, toError, redactCredentials } from "@levelset/core/internal";
import { TransportError } from "@levelset/core";
import type { AnyCustomKind } from "@levelset/core";
import { rootCause } from "../../client/index.ts";
import { isHeldBack, makeExternalCall, withRunDeadline } from "../../engine/index.ts";
import type { ExternalCall, Req, OutputStep } from "../../engine/index.ts";

/**
 * Calls an external service for at most `timeoutMs`. The signal of its request aborts then, and a call that ignores the
 * signal is not awaited. An error becomes a failure that names the call and contains no credentials. Rejects with
 * `ExternalHeldBack` if the interceptor of the run holds the call back.
 */
export async function externalCall<K extends AnyCustomKind, Used extends OutputStep<unknown>, Answer>(
  { verb, step }: Pick<ExternalCall, "verb" | "step">,
  req: Req<K, Used>,
  timeoutMs: number,
  call: (req: Req<K, Used>) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { clock, signal } = req;
  try {
    return await withRunDeadline({ clock, signal, deadlineMs: timeoutMs }, (budget) =>
      budget.race(makeExternalCall(req, { verb, step }, async () => call({ ...req, signal: budget.signal }))),
    );
  } catch (error) {
    if (isHeldBack(error)) throw error;
    throw callFailure(verb, error);
  }
}

function callFailure(what: string, error: unknown): Error {
  const thrown = toError(error);
  // `fetch` reports a network failure as a TypeError with a cause. Other TypeErrors are programming errors.
  const isNetworkFailure = thrown instanceof TypeError && thrown.cause instanceof Error;
  if (isProgrammingError(thrown) && !isNetworkFailure) return withCleanText(thrown);
  const { message } = isNetworkFailure ? rootCause(thrown) : thrown;
  return new TransportError(`${what}: ${redactCredentials(message)}`, { cause: error });
}

/** Returns the same error with its stack, without credentials. */
function withCleanText(defect: Error): Error {
  const clean = new TypeError(redactCredentials(defect.message));
  clean.stack = redactCredentials(defect.stack ?? "");
  return clean;
}
