import { DeclarationError } from "../error/index.ts";
import { isJsonObject } from "../json/index.ts";
import { childPath } from "../schema/index.ts";

/** Something in a CustomResourceDefinition that somebody else wrote: it may be anything. */
export class CrdReader {
  readonly value: unknown;
  readonly path: string;
  readonly #name: string;

  constructor(name: string, value: unknown, path = "") {
    this.#name = name;
    this.value = value;
    this.path = path;
  }

  /** What to throw about this place: what is wrong with it, and what to write instead. */
  refusal(wrong: string, instead: string): DeclarationError {
    const path = this.path === "" ? "" : `${this.path}: `;
    return new DeclarationError(`${this.#name}: ${path}${wrong}: ${instead}`);
  }

  /** Whether there is anything; null counts as nothing. */
  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** A field of this object; absent when it has none. */
  field(name: string): CrdReader {
    const fields = this.fields();
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return new CrdReader(this.#name, value, childPath(this.path, name));
  }

  /** All fields of this object. */
  fields(): Readonly<Record<string, unknown>> {
    if (!isJsonObject(this.value)) throw this.refusal("is no object", "write its fields here");
    return this.value;
  }

  /** The items of this list; none when it is absent. */
  list(): readonly CrdReader[] {
    if (this.isAbsent) return [];
    if (!Array.isArray(this.value)) throw this.refusal("is no list", "write one");
    return this.value.map((item: unknown, index) => new CrdReader(this.#name, item, childPath(this.path, index)));
  }

  /** A text that is not empty. */
  text(): string {
    if (typeof this.value === "string" && this.value !== "") return this.value;
    throw this.refusal(this.isAbsent ? "is missing" : "is no text", "write one");
  }

  /** One of these texts. */
  oneOf<const T extends readonly string[]>(allowed: T): T[number] {
    const found = allowed.find((each) => each === this.value);
    if (found !== undefined) return found;
    const given = this.isAbsent ? "is missing" : `is ${JSON.stringify(this.value) ?? "unreadable"}`;
    throw this.refusal(given, `write ${allowed.join(" or ")}`);
  }

  /** A boolean; false when it is absent. */
  flag(): boolean {
    if (this.isAbsent) return false;
    if (typeof this.value === "boolean") return this.value;
    throw this.refusal("is neither true nor false", "write one of them");
  }
}
