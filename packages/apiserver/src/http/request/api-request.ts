import type { Fetch } from "@levelset/core";
import type { RequestUser } from "../../auth/index.ts";
import type { ApiResponse } from "../api-response.ts";

/**
 * The part of a request that the API reads. A web `Request` satisfies it. The HTTP listener passes its own
 * implementation, which saves a third of the time of a small request: see `docs/adr/0012-api-request.md`.
 */
export interface ApiRequest {
  readonly method: string;
  /** Absolute URL. The origin is ignored. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Aborts when the client no longer waits for the response. */
  readonly signal: AbortSignal;
  /** The authenticated user. Absent for in-process callers, which have full access to the store anyway. */
  readonly user?: RequestUser;
}

/**
 * The API as a function. Resolves with a response for every request, including failed ones; rejects only if the request
 * is aborted.
 */
export type ApiHandler = (request: ApiRequest) => Promise<ApiResponse>;

/** Adapts the handler to `fetch`, the interface of in-process clients. */
export function toFetch(handle: ApiHandler): Fetch {
  return async (request) => (await handle(request)).toResponse();
}
