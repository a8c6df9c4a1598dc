import { StatusError } from "../error/index.ts";

/** Reasons of a field error, as in `metav1.CauseType`. */
export type FieldErrorReason =
  | "FieldValueRequired"
  | "FieldValueInvalid"
  | "FieldValueTypeInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueDuplicate"
  | "FieldValueNotFound"
  | "FieldValueTooLong"
  | "FieldValueTooMany";

/** An error of one field, with the message of kube-apiserver. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Path of the field: `spec.items[2].name`. Empty for the object itself. */
  readonly field: string;
  /** The message without the path. */
  readonly message: string;
  /** The type or format that the value must have, if it has another one: `integer`, `int32`, `date-time`. */
  readonly expected?: string;
}

/** Returns the Status error for an invalid object, with one cause per field error. */
export function invalidError(
  subject: { readonly kind: string; readonly group: string; readonly name: string },
  errors: readonly FieldError[],
): StatusError {
  // kube-apiserver removes duplicates from the message but not from the causes (`NewInvalid`,
  // k8s.io/apimachinery/pkg/api/errors).
  const texts = [...new Set(errors.map((error) => `${error.field === "" ? "<nil>" : error.field}: ${error.message}`))];
  const listed = texts.length === 1 ? texts.join("") : `[${texts.join(", ")}]`;
  const kind = subject.group === "" ? subject.kind : `${subject.kind}.${subject.group}`;
  return new StatusError("Invalid", `${kind} "${subject.name}" is invalid: ${listed}`, {
    details: {
      ...(subject.name === "" ? {} : { name: subject.name }),
      ...(subject.group === "" ? {} : { group: subject.group }),
      ...(subject.kind === "" ? {} : { kind: subject.kind }),
      causes: errors.map(({ reason, message, field }) => ({ reason, message, field })),
    },
  });
}

/**
 * Returns `parent.name` for a field or a map key, `parent[index]` for an item. Keys are not escaped, as in the field
 * paths of kube-apiserver.
 */
export function childPath(parent: string, name: string | number): string {
  if (typeof name === "number") return `${parent}[${name}]`;
  return parent === "" ? name : `${parent}.${name}`;
}
