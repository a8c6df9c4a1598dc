/**
 * Every way in which a request to a Kubernetes API can fail, and what a client may do about it. The table is the whole policy:
 * code that retries, relists or gives up looks here and nowhere else.
 */
export type Reason =
  | "BadRequest"
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Expired"
  | "Invalid"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "TooManyRequests"
  | "InternalError"
  | "ServiceUnavailable"
  | "ServerTimeout"
  | "Timeout"
  | "Unknown";

/**
 * What may help after a failure:
 * `never` nothing but another request; `fresh` read again, then decide again; `relist` start over with a list;
 * `login` new credentials; `later` the same request after a while.
 */
export type Remedy = "never" | "fresh" | "relist" | "login" | "later";

/** One row of the table. */
export interface ReasonRule {
  readonly code: number;
  readonly remedy: Remedy;
  readonly meaning: string;
}

/** The table: reason → HTTP code, remedy, meaning. */
export const REASONS: Readonly<Record<Reason, ReasonRule>> = {
  BadRequest: { code: 400, remedy: "never", meaning: "the request itself is malformed" },
  Unauthorized: { code: 401, remedy: "login", meaning: "no credentials, or expired ones" },
  Forbidden: { code: 403, remedy: "never", meaning: "these credentials may not do this" },
  NotFound: { code: 404, remedy: "never", meaning: "there is no such object or kind" },
  MethodNotAllowed: { code: 405, remedy: "never", meaning: "this resource does not have this verb" },
  NotAcceptable: { code: 406, remedy: "never", meaning: "the server cannot answer in an accepted format" },
  AlreadyExists: { code: 409, remedy: "fresh", meaning: "an object of that name is there already" },
  Conflict: { code: 409, remedy: "fresh", meaning: "our copy was old, or another manager owns the field" },
  Gone: { code: 410, remedy: "relist", meaning: "the asked revision is no longer kept" },
  Expired: { code: 410, remedy: "relist", meaning: "the watch or continue token is too old" },
  Invalid: { code: 422, remedy: "never", meaning: "the object breaks its schema; details name the fields" },
  RequestEntityTooLarge: { code: 413, remedy: "never", meaning: "the body exceeds the server's limit" },
  UnsupportedMediaType: { code: 415, remedy: "never", meaning: "the server does not read this content type" },
  TooManyRequests: { code: 429, remedy: "later", meaning: "the server asks to slow down" },
  InternalError: { code: 500, remedy: "later", meaning: "the server failed" },
  ServiceUnavailable: { code: 503, remedy: "later", meaning: "the server cannot serve now" },
  ServerTimeout: { code: 504, remedy: "later", meaning: "the server gave up; the write may have happened" },
  Timeout: { code: 504, remedy: "later", meaning: "the request ran out of time; the write may have happened" },
  Unknown: { code: 500, remedy: "later", meaning: "an answer that is not a Kubernetes Status" },
};

/** The reason for an HTTP code that came without a readable Status. */
export function reasonOfCode(code: number): Reason {
  if (code === 409) return "Conflict";
  if (code === 410) return "Expired";
  if (code === 504) return "Timeout";
  const row = Object.entries(REASONS).find(([, rule]) => rule.code === code && code !== 500);
  // Keys of REASONS are exactly the reasons; Object.entries widens them to string.
  if (row !== undefined) return row[0] as Reason;
  return code >= 500 ? "InternalError" : "Unknown";
}

/** Whether a text from outside is a reason of the table. */
export function isReason(text: unknown): text is Reason {
  return typeof text === "string" && Object.hasOwn(REASONS, text);
}
