import { DeclarationError } from "../error/index.ts";
import { isJsonObject } from "../json/index.ts";
import { childPath } from "../schema/index.ts";

/** Reads a part of a CustomResourceDefinition of unknown origin. The value may have any type. */
export class CrdReader {
  readonly value: unknown;
  readonly path: string;
  readonly #name: string;

  constructor(name: string, value: unknown, path = "") {
    this.#name = name;
    this.value = value;
    this.path = path;
  }

  /** Returns an error for this location: the problem and how to fix it. */
  error(wrong: string, instead: string): DeclarationError {
    const path = this.path === "" ? "" : `${this.path}: `;
    return new DeclarationError(`${this.#name}: ${path}${wrong}: ${instead}`);
  }

  /** Whether the value is undefined or null. */
  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** Returns a field of this object, which may be absent. */
  field(name: string): CrdReader {
    const fields = this.fields();
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return new CrdReader(this.#name, value, childPath(this.path, name));
  }

  /** Returns all fields of this object. */
  fields(): Readonly<Record<string, unknown>> {
    if (!isJsonObject(this.value)) throw this.error("is not an object", "write its fields here");
    return this.value;
  }

  /** Returns the items of this list; empty if it is absent. */
  list(): readonly CrdReader[] {
    if (this.isAbsent) return [];
    if (!Array.isArray(this.value)) throw this.error("is not a list", "write a list");
    return this.value.map((item: unknown, index) => new CrdReader(this.#name, item, childPath(this.path, index)));
  }

  /** Returns a non-empty string. */
  string(): string {
    if (typeof this.value === "string" && this.value !== "") return this.value;
    throw this.error(this.isAbsent ? "is missing" : "is not a string", "write a non-empty string");
  }

  /** Returns one of the allowed strings. */
  oneOf<const T extends readonly string[]>(allowed: T): T[number] {
    const found = allowed.find((each) => each === this.value);
    if (found !== undefined) return found;
    const given = this.isAbsent ? "is missing" : `is ${JSON.stringify(this.value) ?? "unreadable"}`;
    throw this.error(given, `write ${allowed.join(" or ")}`);
  }

  /** Returns a boolean; false if it is absent. */
  boolean(): boolean {
    if (this.isAbsent) return false;
    if (typeof this.value === "boolean") return this.value;
    throw this.error("is not a boolean", "write true or false");
  }
}
