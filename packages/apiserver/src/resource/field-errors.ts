import { stringifyJson } from "@levelset/core/internal";
import type { FieldError } from "@levelset/core/schema";

/** Field errors with the messages of `k8s.io/apimachinery/pkg/util/validation/field/errors.go` (Kubernetes 1.36). */

/** `field: Invalid value: …: why`. */
export function invalidField(field: string, value: unknown, why: string): FieldError {
  const detail = why === "" ? "" : `: ${why}`;
  return { reason: "FieldValueInvalid", field, message: `Invalid value: ${shown(value)}${detail}` };
}

/** `field: Invalid value: why`, without the value. */
export function invalidFieldWithoutValue(field: string, why: string): FieldError {
  return { reason: "FieldValueInvalid", field, message: `Invalid value: ${why}` };
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
export function unsupportedField(field: string, value: unknown, supported: readonly string[]): FieldError {
  const listed = supported.map((text) => JSON.stringify(text)).join(", ");
  const message = `Unsupported value: ${shown(value)}: supported values: ${listed}`;
  return { reason: "FieldValueNotSupported", field, message };
}

/** `field: Duplicate value: …`. */
export function duplicateField(field: string, value: unknown, why?: string): FieldError {
  const detail = why === undefined ? "" : `: ${why}`;
  return { reason: "FieldValueDuplicate", field, message: `Duplicate value: ${shown(value)}${detail}` };
}

/** `field: Not found: …`. */
export function notFoundField(field: string, value: string, why?: string): FieldError {
  const detail = why === undefined ? "" : `: ${why}`;
  return { reason: "FieldValueNotFound", field, message: `Not found: ${shown(value)}${detail}` };
}

/** `field: Too long: …`. */
export function tooLongField(field: string, maxBytes: number): FieldError {
  return { reason: "FieldValueTooLong", field, message: `Too long: may not be more than ${maxBytes} bytes` };
}

/** `field: Too many: …`. */
export function tooManyField(field: string, count: number, max: number): FieldError {
  return { reason: "FieldValueTooMany", field, message: `Too many: ${count}: must have at most ${max} items` };
}

function shown(value: unknown): string {
  return value === undefined ? "null" : stringifyJson(value);
}
