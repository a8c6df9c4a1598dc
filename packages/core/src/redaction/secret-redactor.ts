import { decodeBase64, encodeBase64, isJsonObject, parseJson, stringifyJson } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { isSecret, SECRET_FIELDS, SECRET_MASK } from "./redact-secrets.ts";

/** Options of {@link SecretRedactor}. */
export interface SecretRedactorOptions {
  /** Replaces each secret. */
  readonly mask: string;
  /** Shorter secrets occur in too many texts to be redacted. */
  readonly lengthMin: number;
  /** Words that are shown although a Secret has them as a value, such as names of objects. */
  readonly shown?: ReadonlySet<string>;
}

/** Maximum length of a prefix by which secrets are found in a text. */
const PREFIX_MAX = 8;
/** Shorter lines of a secret occur in other texts too. */
const LINE_MIN = 16;
/** Shorter numbers are ports and sizes too. */
const DIGITS_MIN = 6;
/** Ends a shortened text, which may contain only the beginning of a secret. */
const ELLIPSIS = "...";

/** Removes known secrets from texts and data. */
export class SecretRedactor {
  readonly #options: SecretRedactorOptions;
  /** Length of the keys of `#forms`. */
  readonly #prefixLength: number;
  /** Beginning of a form → the forms, so that the cost of a text does not depend on the number of secrets. */
  readonly #forms = new Map<string, Set<string>>();

  constructor(options: SecretRedactorOptions) {
    this.#options = options;
    this.#prefixLength = Math.max(1, Math.min(PREFIX_MAX, options.lengthMin));
  }

  /** Adds a secret. It is redacted verbatim, as escaped in JSON, as servers quote it in errors, and as encoded in a URL. */
  add(secret: string): void {
    const { lengthMin, shown } = this.#options;
    if (secret.length < lengthMin || shown?.has(secret) === true) return;
    for (const form of new Set([secret, stringifyJson(secret).slice(1, -1), urlEncoded(secret)])) {
      const prefix = form.slice(0, this.#prefixLength);
      const forms = this.#forms.get(prefix) ?? new Set();
      this.#forms.set(prefix, forms.add(form));
    }
  }

  /** Adds the values of all Secrets in the data, encoded in base64 and not, their long lines, and the texts in JSON. */
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
        const [plain, encoded] =
          field === "data" ? [decoded(text), text] : [text, encodeBase64(new TextEncoder().encode(text))];
        for (const secret of [plain, encoded, ...partsOf(plain)]) this.add(secret);
      }
    }
  }

  /** Returns the text with all secrets redacted, also those that are cut off by an ellipsis. */
  redactText(text: string): string {
    // Longest first: a short secret may be part of a longer one.
    const forms = [...this.#formsIn(text)].toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
    return forms.reduce((left, form) => left.replaceAll(form, this.#options.mask), text);
  }

  #formsIn(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    for (let at = 0; at + this.#prefixLength <= text.length; at++) {
      const forms = this.#forms.get(text.slice(at, at + this.#prefixLength));
      if (forms === undefined) continue;
      const cut = text.indexOf(ELLIPSIS, at + this.#prefixLength);
      const beginning = cut === -1 ? undefined : text.slice(at, cut);
      for (const form of forms) {
        if (text.startsWith(form, at)) found.add(form);
        else if (beginning !== undefined && form.startsWith(beginning)) found.add(`${beginning}${ELLIPSIS}`);
      }
    }
    return found;
  }

  #isSecretNumber(value: number | bigint): boolean {
    const text = String(value);
    return text.length >= DIGITS_MIN && this.redactText(text) === this.#options.mask;
  }

  /** Returns the data with all secrets in its strings, numbers and names redacted. */
  redact(value: JsonValue): JsonValue {
    if (typeof value === "string") return this.redactText(value);
    if (typeof value === "number" || typeof value === "bigint")
      return this.#isSecretNumber(value) ? this.#options.mask : value;
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.redact(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.redactText(key), this.redact(item)]));
  }
}

/** Returns the parts of a secret that programs read from it: without space around it, long lines, the texts in JSON. */
function partsOf(secret: string): readonly string[] {
  const lines = secret.split("\n").map((line) => line.trim());
  return [secret.trim(), ...lines.filter((line) => line.length >= LINE_MIN), ...textsOf(parsed(secret))];
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number" || typeof value === "bigint") return [String(value)];
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => textsOf(item));
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : [];
}

/** Returns the data of a text that is a JSON object or list; undefined if it is not. */
function parsed(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function urlEncoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text; // not Unicode
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
