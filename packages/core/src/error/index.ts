/** Every failure that there is: the reasons of the API and what may be done about each, and our own kinds of errors. Begin with `errors.ts`. */

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
