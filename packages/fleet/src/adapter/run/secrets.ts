import { isJsonObject, stringifyJson } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { REDACTED } from "../../resource/index.ts";

/** Shorter ones are words such as `true` and `prod`, and would hide half of the text. */
const SECRET_MIN = 6;

/** What a run knows and must not tell: not in a trace, a log line, or a report. */
export class Secrets {
  readonly #forms = new Set<string>();

  /** From now on this text is hidden, as it is and as it is written inside of JSON. */
  hide(secret: string): void {
    if (secret.length < SECRET_MIN) return;
    this.#forms.add(secret);
    this.#forms.add(stringifyJson(secret).slice(1, -1));
  }

  /** A text without any of them. */
  withoutIn(text: string): string {
    // The longest first: a short one may be a part of another.
    const forms = [...this.#forms].toSorted((a, b) => b.length - a.length);
    return forms.reduce((left, form) => left.replaceAll(form, REDACTED), text);
  }

  /** Data without any of them in its texts. */
  without(value: JsonValue): JsonValue {
    if (typeof value === "string") return this.withoutIn(value);
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.without(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.withoutIn(key), this.without(item)]));
  }
}
