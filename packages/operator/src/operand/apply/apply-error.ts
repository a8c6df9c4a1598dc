import { StatusError } from "@levelset/core";
import type { StatusReason } from "@levelset/core";
import type { FailReason } from "./apply-outcome.ts";

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

/** Reports whether the server rejected a change of an immutable field, which it reports only in the message. */
export function isImmutableError(error: unknown): boolean {
  if (!(error instanceof StatusError) || (error.reason !== "Invalid" && error.reason !== "Forbidden")) return false;
  return /immutable|may not (?:be )?change|cannot be changed|updates to .* are forbidden/iu.test(error.message);
}

/**
 * Reports whether a webhook with side effects rejected a dry run, which the server reports only in the message
 * (`k8s.io/apiserver/pkg/admission/plugin/webhook/errors/statuserror.go`).
 */
function isDryRunUnsupported(error: unknown): boolean {
  return error instanceof StatusError && /does not support dry run/iu.test(error.message);
}
