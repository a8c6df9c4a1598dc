import { StatusError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { ObjectOf, StatusReason } from "@levelset/core";
import type { StatusCause } from "@levelset/core/internal";
import { isSecret } from "../../apply/index.ts";
import type { ManifestItem } from "../spec/item.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { accountOf } from "../spec/set-client.ts";
import { failedOutcome, waitingOutcome } from "./apply-outcome.ts";
import type { ApplyOutcome, FailReason } from "./apply-outcome.ts";

/**
 * Classifies an error of an apply request. Where the API server reports a cause only in its message, the message is read
 * here, and in `field-conflict.ts`.
 */
export function failReasonOf(error: unknown, { dryRun }: { readonly dryRun: boolean }): FailReason {
  if (isImmutableError(error)) return "ImmutableField";
  return dryRun && isDryRunUnsupported(error) ? "NoDryRun" : statusReasonOf(error);
}

/** Returns the reason of the API server; `Error` if it did not respond. */
export function statusReasonOf(error: unknown): StatusReason | "Error" {
  return error instanceof StatusError ? error.reason : "Error";
}

/** Returns the outcome of an object that could not be applied because of an error. */
export function applyFailure(
  { ref }: ManifestItem,
  error: unknown,
  { operand, dryRun = false }: { readonly operand: ObjectOf<Operand>; readonly dryRun?: boolean },
): ApplyOutcome {
  const account = accountOf(operand);
  // A server message about a Secret may quote its values, and the status has many readers.
  const message = isSecret(ref)
    ? `rejected by the API server: ${statusReasonOf(error)}${account === undefined ? "" : ` (service account ${account})`}`
    : toError(error).message;
  const reason = failReasonOf(error, { dryRun });
  const isChanging = reason === "Conflict" && operand.spec.conflicts !== "Fail";
  return isChanging ? waitingOutcome("Changing", message) : failedOutcome(reason, message);
}

/**
 * Reports whether the server rejected changes of immutable fields, and nothing else: an object with another invalid field
 * could not be recreated. The server has no code for such a change, so the texts of the causes are read, without the
 * names and values in them. Admission webhooks and policies report a text without a reason, so fewer texts count there.
 */
export function isImmutableError(error: unknown): boolean {
  if (!(error instanceof StatusError) || (error.reason !== "Invalid" && error.reason !== "Forbidden")) return false;
  const causes = error.details?.causes ?? [];
  if (causes.length === 0) return IMMUTABLE.test(withoutNames(error.message));
  return causes.every((cause) => {
    const detail = detailOf(cause);
    return IMMUTABLE.test(detail) || (cause.reason !== undefined && OLD_VALUE.test(detail));
  });
}

const IMMUTABLE =
  /(?<![-.\w])immutable(?![-\w])|may not (?:be )?change|cannot be changed|updates to .* are forbidden|^only dynamically provisioned pvc can be resized/iu;

/**
 * Texts of field errors that depend on the old value: a new object may have the value. From `pkg/apis/*\/validation` of
 * Kubernetes, `k8s.io/apimachinery/pkg/api/validate/update.go`, and the default text of CEL transition rules in CRDs.
 */
const OLD_VALUE = new RegExp(
  [
    "^cannot change roleRef$",
    "^field cannot be (?:set once created|(?:cleared|modified) once set)$",
    "^primary (?:clusterIP|ipFamily) can not be unset$",
    "\\bless than (?:or equal to )?(?:previous value|status\\.capacity)$",
    "^must not update from ",
    "^Forbidden: update (?:from|to) .* is forbidden",
    "^Forbidden: may not be updated$",
    "^Forbidden: pod updates may not add or remove containers$",
    "^Forbidden: existing toleration can not be modified",
    "^Forbidden: only deletion is allowed",
    "^only additions .*are allowed",
    "\\boldSelf\\b",
  ].join("|"),
  "u",
);

/** Returns the text after the value (`ErrorBody` in k8s.io/apimachinery/pkg/util/validation/field/errors.go). */
function detailOf({ reason, message = "" }: StatusCause): string {
  switch (reason) {
    case "FieldValueInvalid":
      return message.replace(/^Invalid value: (?:"(?:\\.|[^"\\])*"|.*): /su, "");
    case "FieldValueForbidden":
      return message;
    case undefined:
      return withoutNames(message);
    default:
      return "";
  }
}

/** Removes the kind and name of the object, and everything in quotes, such as the name of a policy or user. */
function withoutNames(message: string): string {
  return message.replace(/^\S+ "[^"]*" is (?:invalid|forbidden): /u, "").replaceAll(/"[^"]*"|\B'[^']*'/gu, "");
}

/**
 * Reports whether a webhook with side effects rejected a dry run, which the server reports only in the message
 * (`k8s.io/apiserver/pkg/admission/plugin/webhook/errors/statuserror.go`).
 */
function isDryRunUnsupported(error: unknown): boolean {
  return (
    error instanceof StatusError && error.reason === "BadRequest" && /does not support dry run/u.test(error.message)
  );
}
