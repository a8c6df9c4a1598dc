/**
 * The reasons with which a request to a Kubernetes API can fail. Code that retries, relists or gives up takes its
 * policy from `STATUS_REASONS`.
 */
export type StatusReason =
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
 * What to do after a failure:
 * `never`: do not repeat the request; `refetch`: read the object again, then decide again; `relist`: start over with a
 * list;
 * `reauthenticate`: get new credentials; `backoff`: repeat the request later.
 */
export type RetryStrategy = "never" | "refetch" | "relist" | "reauthenticate" | "backoff";

/** An entry of `STATUS_REASONS`. */
export interface StatusReasonInfo {
  readonly code: number;
  readonly retryStrategy: RetryStrategy;
  readonly meaning: string;
}

/** Status reasons with HTTP code, retry strategy and meaning. */
export const STATUS_REASONS: Readonly<Record<StatusReason, StatusReasonInfo>> = {
  BadRequest: { code: 400, retryStrategy: "never", meaning: "the request itself is malformed" },
  Unauthorized: { code: 401, retryStrategy: "reauthenticate", meaning: "no credentials, or expired ones" },
  Forbidden: { code: 403, retryStrategy: "never", meaning: "these credentials may not do this" },
  NotFound: { code: 404, retryStrategy: "never", meaning: "there is no such object or kind" },
  MethodNotAllowed: { code: 405, retryStrategy: "never", meaning: "this resource does not support this verb" },
  NotAcceptable: { code: 406, retryStrategy: "never", meaning: "the server cannot answer in an accepted format" },
  AlreadyExists: { code: 409, retryStrategy: "refetch", meaning: "an object of that name already exists" },
  Conflict: {
    code: 409,
    retryStrategy: "refetch",
    meaning: "the resourceVersion is outdated, or another manager owns the field",
  },
  Gone: { code: 410, retryStrategy: "relist", meaning: "the requested revision has expired" },
  Expired: { code: 410, retryStrategy: "relist", meaning: "the watch or continue token is too old" },
  Invalid: { code: 422, retryStrategy: "never", meaning: "the object violates its schema; details name the fields" },
  RequestEntityTooLarge: { code: 413, retryStrategy: "never", meaning: "the body exceeds the server's limit" },
  UnsupportedMediaType: { code: 415, retryStrategy: "never", meaning: "the server does not read this content type" },
  TooManyRequests: { code: 429, retryStrategy: "backoff", meaning: "the server asks to slow down" },
  InternalError: { code: 500, retryStrategy: "backoff", meaning: "the server failed" },
  ServiceUnavailable: { code: 503, retryStrategy: "backoff", meaning: "the server cannot serve now" },
  ServerTimeout: { code: 504, retryStrategy: "backoff", meaning: "the server gave up; the write may have happened" },
  Timeout: { code: 504, retryStrategy: "backoff", meaning: "the request ran out of time; the write may have happened" },
  Unknown: { code: 500, retryStrategy: "backoff", meaning: "a response that is not a Kubernetes Status" },
};

/** Returns the reason for an HTTP code of a response without a Status. */
export function statusReasonForCode(code: number): StatusReason {
  if (code === 409) return "Conflict";
  if (code === 410) return "Expired";
  if (code === 504) return "Timeout";
  const row = Object.entries(STATUS_REASONS).find(([, rule]) => rule.code === code && code !== 500);
  if (row !== undefined) return row[0] as StatusReason;
  return code >= 500 ? "InternalError" : "Unknown";
}

/** Reports whether a value is a known status reason. */
export function isStatusReason(text: unknown): text is StatusReason {
  return typeof text === "string" && Object.hasOwn(STATUS_REASONS, text);
}
