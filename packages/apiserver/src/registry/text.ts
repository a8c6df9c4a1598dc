import { StatusError } from "@levelset/core";
import { textErrors } from "@levelset/core/internal";
import type { FieldError } from "@levelset/core/schema";
import type { JsonValue } from "@levelset/core";

/** Escapes of characters that cannot be stored: NUL and surrogates. */
const JSON_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Throws BadRequest, naming each field, if a key or value of a document cannot be stored. `source` is the text that the
 * document was parsed from: the document is checked only if the text contains such an escape or an invalid byte.
 */
export function checkJsonText(value: JsonValue, source: string): void {
  if (!source.isWellFormed() || JSON_ESCAPE.test(source)) checkText(value);
}

/** Like {@link checkJsonText}, for a document that was not parsed from JSON or YAML. */
export function checkText(value: JsonValue): void {
  const errors = textErrors(value);
  if (errors.length > 0) throw unstorable("the object provided is unrecognized", errors);
}

/** 400: text that cannot be stored. */
export function unstorable(what: string, errors: readonly FieldError[]): StatusError {
  const listed = errors.map(({ field, message }) => `${field}: ${message}`).join(", ");
  const message = `${what}: ${errors.length === 1 ? listed : `[${listed}]`}`;
  return new StatusError("BadRequest", message, {
    details: { causes: errors.map(({ reason, message: cause, field }) => ({ reason, message: cause, field })) },
  });
}

/** Returns the longest prefix of whole characters that fits into `max` bytes of UTF-8. */
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
