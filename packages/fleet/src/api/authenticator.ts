import type { Caller } from "../service/index.ts";
import type { Permission, RequestHeaders } from "./route.ts";

/** Authenticates and authorises requests. */
export interface Authenticator {
  /** Returns the caller. Throws an `HttpProblem` if the caller is not authenticated or not authorised. */
  authenticate(request: {
    readonly headers: RequestHeaders;
    readonly needs: Permission;
    readonly requestId: string;
  }): Promise<Caller>;
}
