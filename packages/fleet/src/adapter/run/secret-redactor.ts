import { isJsonObject, stringifyJson } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { REDACTED } from "../../resource/index.ts";

/** Shorter values are words such as `true` and `prod`; redacting them would hide half of the text. */
const SECRET_MIN = 6;

/** Removes the secrets of a run from traces, log lines and reports. */
export class SecretRedactor {
  readonly #forms = new Set<string>();

  /** Adds a secret. It is redacted both verbatim and as escaped in JSON. */
  add(secret: string): void {
    if (secret.length < SECRET_MIN) return;
    this.#forms.add(secret);
    this.#forms.add(stringifyJson(secret).slice(1, -1));
  }

  /** Returns the text with all secrets redacted. */
  redactText(text: string): string {
    // Longest first: a short secret may be part of a longer one.
    const forms = [...this.#forms].toSorted((a, b) => b.length - a.length);
    return forms.reduce((left, form) => left.replaceAll(form, REDACTED), text);
  }

  /** Returns the data with all secrets in its strings redacted. */
  redact(value: JsonValue): JsonValue {
    if (typeof value === "string") return this.redactText(value);
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.redact(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.redactText(key), this.redact(item)]));
  }
}
