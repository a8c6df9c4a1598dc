import { isAbortError } from "@levelset/core";
import { LinkedAbortController, toError } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import { escapeControlChars } from "../terminal/index.ts";
import type { RunProcess } from "./run-process.ts";

/** Dependencies of {@link requestProcess}. */
export interface RequestWorld {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Response of an operator process, or the reason of its failure. */
export type ProcessResponse =
  | { readonly kind: "ok"; readonly body: string }
  | { readonly kind: "failed"; readonly why: string };

/** Request timeout. */
const REQUEST_TIMEOUT_MS = 3_000;

/** Sends a GET request to an operator process, with its token. Rejects only when the signal aborts. */
export async function requestProcess(
  process: RunProcess,
  url: URL,
  { clock, signal }: RequestWorld,
): Promise<ProcessResponse> {
  using limit = new LinkedAbortController([signal], { clock, ms: REQUEST_TIMEOUT_MS });
  try {
    const headers = process.token === undefined ? {} : { authorization: `Bearer ${process.token}` };
    const response = await fetch(url, { headers, redirect: "error", signal: limit.signal });
    const body = await response.text();
    if (response.ok) return { kind: "ok", body };
    return { kind: "failed", why: escapeControlChars(body) || `HTTP ${response.status}` };
  } catch (error) {
    signal.throwIfAborted();
    return {
      kind: "failed",
      why: isAbortError(error) ? `no response within ${REQUEST_TIMEOUT_MS / 1_000} s` : causeOf(error),
    };
  }
}

/** Returns the cause of an error: the message `fetch failed` alone has no information. */
function causeOf(thrown: unknown): string {
  const error = toError(thrown);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
