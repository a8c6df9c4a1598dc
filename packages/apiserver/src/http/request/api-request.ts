import type { RequestUser } from "../../auth/index.ts";
import type { ApiResponse } from "../api-response.ts";
import type { HttpRequest } from "@levelset/core/http";

/** A request with its user. A web `Request` satisfies it: see `docs/adr/0012-api-request.md`. */
export interface ApiRequest extends HttpRequest {
  /** The authenticated user. Absent for in-process callers, which have full access to the store anyway. */
  readonly user?: RequestUser;
}

/**
 * The API as a function. Resolves with a response for every request, including failed ones; rejects only if the request
 * is aborted.
 */
export type ApiHandler = (request: ApiRequest) => Promise<ApiResponse>;
