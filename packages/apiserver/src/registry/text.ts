import { StatusError, textErrors } from "@levelset/core";
import type { FieldError, JsonValue } from "@levelset/core";

/** What JSON and YAML can only say with an escape. Raw bytes that are not UTF-8 are lone surrogates after decoding. */
const JSON_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Refuses a document with a key or value that no store can hold. `source` is the text that it was read from: without an escape
 * and without a wrong byte in it, the document is not looked at. Throws BadRequest that names each field.
 */
export function checkJsonText(value: JsonValue, source: string): void {
  if (!source.isWellFormed() || JSON_ESCAPE.test(source)) checkText(value);
}

/** The same for a document that came in any other form. */
export function checkText(value: JsonValue): void {
  const errors = textErrors(value);
  if (errors.length > 0) throw unstorable("the object provided is unrecognized", errors);
}

/** 400: text that no store can hold. */
export function unstorable(what: string, errors: readonly FieldError[]): StatusError {
  const listed = errors.map(({ field, message }) => `${field}: ${message}`).join(", ");
  const message = `${what}: ${errors.length === 1 ? listed : `[${listed}]`}`;
  return new StatusError("BadRequest", message, {
    details: { causes: errors.map(({ reason, message: cause, field }) => ({ reason, message: cause, field })) },
  });
}

/** As many whole characters from the start of a text as fit into `max` bytes of UTF-8. */
export function prefixOfBytes(text: string, max: number): string {
  let bytes = 0;
  let length = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > max) break;
    length += character.length;
  }
  return text.slice(0, length);
}
