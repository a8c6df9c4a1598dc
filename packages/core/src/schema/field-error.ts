import { StatusError } from "../error/index.ts";

/** The reasons that Kubernetes gives for a refused field. */
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

/** One thing wrong with one field, in the words of the real server. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Path of the field: `spec.items[2].name`. Empty for the object itself. */
  readonly field: string;
  /** All but the path. */
  readonly message: string;
}

/** The answer to an object that breaks its schema: one Status naming every field. */
export function invalidError(
  subject: { readonly kind: string; readonly group: string; readonly name: string },
  errors: readonly FieldError[],
): StatusError {
  // The real server says each thing once here, however often it is among the causes.
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

/** `parent.name` for a field or a map key, `parent[index]` for an item: the real server's way, whatever the key looks like. */
export function childPath(parent: string, name: string | number): string {
  if (typeof name === "number") return `${parent}[${name}]`;
  return parent === "" ? name : `${parent}.${name}`;
}
