import type { Fetch } from "@levelset/core";
import type { RequestUser } from "../registry/index.ts";
import type { Answer } from "./answer.ts";

/**
 * A request, as far as the API reads it. A web `Request` is one. The socket makes its own, which costs a third of the time of a small
 * request less: see `docs/adr/0012-exchange.md`.
 */
export interface ApiRequest {
  readonly method: string;
  /** Absolute; the origin means nothing. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Who asks. Absent: code in this process, which could do anything to the store anyway. */
  readonly user?: RequestUser;
}

/** The API as a function. It answers every request, also those that fail; it rejects only when the request is aborted. */
export type Handle = (request: ApiRequest) => Promise<Answer>;

/** The same function with the objects of the web, which is how clients in this process see it. */
export function asFetch(handle: Handle): Fetch {
  return async (request) => (await handle(request)).toResponse();
}
