/** Errors: Kubernetes status reasons with retry strategies, and our own error classes. Begin with `errors.ts`. */

export {
  DeclarationError,
  InputError,
  isAbortError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isInvalid,
  isNotFound,
  isProgrammingError,
  isTooLarge,
  toError,
  TransportError,
  unreachable,
} from "./errors.ts";
export { retryAfterOf } from "./retry-after.ts";
export { isStatusReason, statusReasonForCode, STATUS_REASONS } from "./status-reason.ts";
export type { StatusReason, StatusReasonInfo, RetryStrategy } from "./status-reason.ts";
export { StatusError } from "./status-error.ts";
export type { StatusCause, StatusDetails, StatusObject } from "./status-error.ts";
export { formatGoSyntax, formatGoValue, formatGoType } from "./go-format.ts";
