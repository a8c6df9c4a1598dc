import type { FieldError } from "@levelset/core";

/** Field errors in the words of the real server. */

/** `field: Invalid value: …: why`. */
export function invalidField(field: string, value: unknown, why: string): FieldError {
  const message = `Invalid value: ${JSON.stringify(value) ?? "null"}: ${why}`;
  return { reason: "FieldValueInvalid", field, message };
}

/** `field: Required value: why`. */
export function requiredField(field: string, why?: string): FieldError {
  return {
    reason: "FieldValueRequired",
    field,
    message: why === undefined ? "Required value" : `Required value: ${why}`,
  };
}

/** `field: Forbidden: why`. */
export function forbiddenField(field: string, why: string): FieldError {
  return { reason: "FieldValueForbidden", field, message: `Forbidden: ${why}` };
}

/** `field: Unsupported value: …: supported values: …`. */
export function unsupportedField(field: string, value: string, supported: readonly string[]): FieldError {
  const listed = supported.map((text) => JSON.stringify(text)).join(", ");
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${listed}`;
  return { reason: "FieldValueNotSupported", field, message };
}
