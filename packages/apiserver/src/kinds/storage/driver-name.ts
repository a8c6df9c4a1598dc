import { invalidField, requiredField, tooLongField, dnsSubdomainProblems } from "../../resource/index.ts";
import { isEmptyString } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";

const NAME_MAX = 63;

/** Validates the name of a CSI driver. */
export function* driverNameErrors(path: string, name: string | undefined): FieldErrors {
  if (isEmptyString(name)) {
    yield requiredField(path);
    return;
  }
  if (name.length > NAME_MAX) yield tooLongField(path, NAME_MAX);
  for (const problem of dnsSubdomainProblems(name.toLowerCase())) yield invalidField(path, name, problem);
}
