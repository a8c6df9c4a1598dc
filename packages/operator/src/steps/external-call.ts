import { isProgrammingError, toError, TransportError } from "@levelset/core";
import type { AnyCustomKind } from "@levelset/core";
import { innermost } from "../client/index.ts";
import { Budget } from "../step/index.ts";
import type { Req, Source } from "../step/index.ts";
import { withoutSecrets } from "./without-secrets.ts";

/**
 * Calls something outside of the cluster, for at most `timeoutMs`: the request that it gets has a signal that aborts then, and a call
 * that does not listen is not waited for. What goes wrong becomes a failure of that call, named and without secrets.
 */
export async function externalCall<K extends AnyCustomKind, Used extends Source<unknown>, Answer>(
  what: string,
  req: Req<K, Used>,
  timeoutMs: number,
  call: (req: Req<K, Used>) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { clock, signal } = req;
  try {
    return await Budget.give({ clock, signal, deadlineMs: timeoutMs }, (budget) =>
      budget.within(Promise.resolve(call({ ...req, signal: budget.signal }))),
    );
  } catch (error) {
    throw callFailure(what, error);
  }
}

function callFailure(what: string, error: unknown): Error {
  const thrown = toError(error);
  // `fetch` tells of a broken network with a TypeError, which otherwise is a defect of the program. Only the former has a cause.
  const isNetworkFailure = thrown instanceof TypeError && thrown.cause instanceof Error;
  if (isProgrammingError(thrown) && !isNetworkFailure) return withCleanText(thrown);
  const { message } = isNetworkFailure ? innermost(thrown) : thrown;
  return new TransportError(`${what}: ${withoutSecrets(message)}`, { cause: error });
}

/** The same defect, its place in the program included. */
function withCleanText(defect: Error): Error {
  const clean = new TypeError(withoutSecrets(defect.message));
  clean.stack = withoutSecrets(defect.stack ?? "");
  return clean;
}
