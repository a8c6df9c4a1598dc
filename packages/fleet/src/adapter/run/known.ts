import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { TemplateMap, TemplateValue } from "../template/index.ts";

/** What a run knows so far, by name: what templates and expressions see. */
export class Known {
  readonly #values: Record<string, JsonValue> = {};
  /** Names of whole numbers. In templates they are ints, as which all other numbers do not count. */
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

  /** What a path of names leads to; undefined if nothing. */
  find(path: readonly string[]): JsonValue | undefined {
    let found: JsonValue | undefined = this.json;
    for (const step of path) {
      if (Array.isArray(found)) found = /^\d+$/u.test(step) ? (found as readonly JsonValue[])[Number(step)] : undefined;
      else found = isJsonObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
    }
    return found;
  }

  /** Everything, for expressions. */
  get json(): JsonObject {
    return this.#values;
  }

  /** Everything, for templates. */
  get templateData(): TemplateMap {
    return Object.fromEntries(
      Object.entries(this.#values).map(([name, value]): [string, TemplateValue] => {
        return [name, this.#ints.has(name) && Number.isInteger(value) ? BigInt(Number(value)) : templateValue(value)];
      }),
    );
  }
}

/** Numbers of JSON are floats to templates, however they are written. */
function templateValue(value: JsonValue): TemplateValue {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(templateValue);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, templateValue(item)]));
}
