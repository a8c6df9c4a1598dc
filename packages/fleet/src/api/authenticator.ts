import type { Caller } from "../service/index.ts";
import type { Access, RequestHeaders } from "./route.ts";

/** Finds out who calls. */
export interface Authenticator {
  /** Throws a problem if the caller does not say who they are, or may not do that. */
  authenticate(request: {
    readonly headers: RequestHeaders;
    readonly needs: Access;
    readonly requestId: string;
  }): Promise<Caller>;
}
