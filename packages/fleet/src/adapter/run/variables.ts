import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { TemplateMap, TemplateValue } from "../template/index.ts";

/** Variables of a run by name, visible to templates and expressions. */
export class Variables {
  readonly #values: Record<string, JsonValue> = {};
  /** Names of integer variables. Templates treat all other numbers as floats. */
  readonly #ints = new Set<string>();

  constructor(values: JsonObject) {
    Object.assign(this.#values, values);
  }

  set(name: string, value: JsonValue, isInt: boolean = false): void {
    this.#values[name] = value;
    if (isInt) this.#ints.add(name);
    else this.#ints.delete(name);
  }

  get(name: string): JsonValue | undefined {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  /** Returns the value at a path, or undefined. */
  find(path: readonly string[]): JsonValue | undefined {
    let found: JsonValue | undefined = this.json;
    for (const step of path) {
      if (Array.isArray(found)) found = /^\d+$/u.test(step) ? (found as readonly JsonValue[])[Number(step)] : undefined;
      else found = isJsonObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
    }
    return found;
  }

  /** All variables, for expressions. */
  get json(): JsonObject {
    return this.#values;
  }

  /** All variables, for templates. */
  get templateData(): TemplateMap {
    return Object.fromEntries(
      Object.entries(this.#values).map(([name, value]): [string, TemplateValue] => {
        return [name, this.#ints.has(name) && Number.isInteger(value) ? BigInt(Number(value)) : templateValue(value)];
      }),
    );
  }
}

/** JSON numbers are floats in templates, however written. */
function templateValue(value: JsonValue): TemplateValue {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(templateValue);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, templateValue(item)]));
}
