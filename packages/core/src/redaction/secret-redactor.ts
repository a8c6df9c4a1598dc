import { decodeBase64, encodeBase64, isJsonObject, stringifyJson } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { isSecret, SECRET_FIELDS, SECRET_MASK } from "./redact-secrets.ts";

/** Options of {@link SecretRedactor}. */
export interface SecretRedactorOptions {
  /** Replaces each secret. */
  readonly mask: string;
  /** Shorter secrets occur in too many texts to be redacted. */
  readonly lengthMin: number;
}

/** Removes known secrets from texts and data. */
export class SecretRedactor {
  readonly #options: SecretRedactorOptions;
  readonly #forms = new Set<string>();

  constructor(options: SecretRedactorOptions) {
    this.#options = options;
  }

  /** Adds a secret. It is redacted both verbatim and as escaped in JSON, as servers quote it in errors. */
  add(secret: string): void {
    if (secret.length < this.#options.lengthMin) return;
    this.#forms.add(secret);
    this.#forms.add(stringifyJson(secret).slice(1, -1));
  }

  /** Adds the values of all Secrets in the data, encoded in base64 and not. */
  addSecretsOf(value: JsonValue): void {
    if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) this.addSecretsOf(item);
    if (!isJsonObject(value)) return;
    if (!isSecret(value)) {
      for (const member of Object.values(value)) if (member !== undefined) this.addSecretsOf(member);
      return;
    }
    for (const field of SECRET_FIELDS) {
      const held = value[field];
      for (const text of isJsonObject(held) ? Object.values(held) : [held]) {
        if (typeof text !== "string") continue;
        this.add(text);
        this.add(field === "data" ? decoded(text) : encodeBase64(new TextEncoder().encode(text)));
      }
    }
  }

  /** Returns the text with all secrets redacted. */
  redactText(text: string): string {
    // Longest first: a short secret may be part of a longer one.
    const forms = [...this.#forms].toSorted((a, b) => b.length - a.length);
    return forms.reduce((left, form) => left.replaceAll(form, this.#options.mask), text);
  }

  /** Returns the data with all secrets in its strings and names redacted. */
  redact(value: JsonValue): JsonValue {
    if (typeof value === "string") return this.redactText(value);
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.redact(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.redactText(key), this.redact(item)]));
  }
}

/** Returns the text of a base64 value, which may contain line breaks; empty if it is invalid. */
function decoded(base64: string): string {
  const bytes = decodeBase64(base64.replaceAll(/\s/gu, ""));
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}

/**
 * Returns a function that removes the values of these Secrets from texts, such as server errors that quote the request.
 */
export function secretScrubber(objects: readonly JsonValue[]): (text: string) => string {
  const redactor = new SecretRedactor({ mask: SECRET_MASK, lengthMin: 4 });
  for (const object of objects) redactor.addSecretsOf(object);
  return (text) => redactor.redactText(text);
}
