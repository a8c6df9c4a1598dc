export {
  DeclarationError,
  InputError,
  isAbort,
  isAlreadyExists,
  isConflict,
  isExpired,
  isInvalid,
  isNotFound,
  isProgrammingError,
  toError,
  TransportError,
  unreachable,
} from "./errors.ts";
export { isReason, reasonOfCode, REASONS } from "./reason.ts";
export type { Reason, ReasonRule, Remedy } from "./reason.ts";
export { StatusError } from "./status.ts";
export type { StatusCause, StatusDetails, StatusObject } from "./status.ts";
export { goSyntax, goText, goType } from "./go-text.ts";
