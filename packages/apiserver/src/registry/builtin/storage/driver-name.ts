import { invalidField, requiredField, tooLongField } from "../../field.ts";
import { dnsSubdomainProblems } from "../../names.ts";
import { isBlank } from "../check.ts";
import type { Errors } from "../check.ts";

const NAME_MAX = 63;

/** The name of a storage driver. */
export function* driverNameErrors(path: string, name: string | undefined): Errors {
  if (isBlank(name)) {
    yield requiredField(path);
    return;
  }
  if (name.length > NAME_MAX) yield tooLongField(path, NAME_MAX);
  for (const problem of dnsSubdomainProblems(name.toLowerCase())) yield invalidField(path, name, problem);
}
