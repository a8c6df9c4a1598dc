import { DeclarationError } from "../error/index.ts";
import { checkCount, checkOrder } from "./scalar.ts";
import { Schema } from "./schema.ts";
import type { AnySchema } from "./schema.ts";
import type { StructuralSchema } from "./structural.ts";

/** A list. Atomic by default; with `.set()` and `.keyedBy()` several managers can own parts of it. */
export class ListSchema<Out, In> extends Schema<readonly Out[], readonly In[]> {
  constructor(structural: StructuralSchema) {
    super(structural, "required");
  }

  /** Sets the minimum number of items. */
  min(minItems: number): this {
    checkCount("min", minItems);
    checkOrder("min", minItems, this.structural.maxItems);
    return this.with({ minItems });
  }

  /** Sets the maximum number of items. A bound lowers the estimated cost of rules on the items. */
  max(maxItems: number): this {
    checkCount("max", maxItems);
    checkOrder("min", this.structural.minItems, maxItems);
    return this.with({ maxItems });
  }

  /**
   * Makes the list a set: unique values, each owned by a manager. The items are scalars, or atomic objects or lists.
   */
  set(): this {
    const item = this.structural.items ?? {};
    const isAtomic = item["x-kubernetes-map-type"] === "atomic" || item["x-kubernetes-list-type"] === "atomic";
    if ((item.type === "object" || item.type === "array") && !isAtomic) {
      throw new DeclarationError(
        "items of a set must be scalars or atomic: write .atomic() on the items, or use .keyedBy()",
      );
    }
    return this.with({ "x-kubernetes-list-type": "set" });
  }

  /** Identifies items by these fields. Managers own single items. */
  keyedBy(...keys: readonly (keyof Out & string)[]): this {
    const item = this.structural.items ?? {};
    if (item.type !== "object") throw new DeclarationError("keyedBy needs a list of objects: use .set() for scalars");
    if (keys.length === 0) throw new DeclarationError("keyedBy needs at least one field of the items");
    for (const key of keys) checkKey(item, key);
    return this.with({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys });
  }

  /** Makes the list atomic explicitly: it is replaced as a whole. */
  atomic(): this {
    return this.with({ "x-kubernetes-list-type": "atomic" });
  }
}

function checkKey(item: StructuralSchema, key: string): void {
  const field = Object.hasOwn(item.properties ?? {}, key) ? item.properties?.[key] : undefined;
  if (field === undefined) throw new DeclarationError(`keyedBy: the items have no field ${key}`);
  if (field.type === "object" || field.type === "array") throw new DeclarationError(`keyedBy: ${key} is not a scalar`);
  if (field.default === undefined && item.required?.includes(key) !== true) {
    throw new DeclarationError(`keyedBy: ${key} may be absent: remove .optional(), or add a default`);
  }
}

/** A map with string keys and values of one schema. */
export class MapSchema<Out, In> extends Schema<Readonly<Record<string, Out>>, Readonly<Record<string, In>>> {
  constructor(structural: StructuralSchema) {
    super(structural, "required");
  }

  /** Sets the minimum number of entries. */
  min(minProperties: number): this {
    checkCount("min", minProperties);
    checkOrder("min", minProperties, this.structural.maxProperties);
    return this.with({ minProperties });
  }

  /** Sets the maximum number of entries. */
  max(maxProperties: number): this {
    checkCount("max", maxProperties);
    checkOrder("min", this.structural.minProperties, maxProperties);
    return this.with({ maxProperties });
  }

  /** Makes the map atomic: one manager owns all of it. */
  atomic(): this {
    return this.with({ "x-kubernetes-map-type": "atomic" });
  }
}

/** An object with declared fields. */
export class ObjectSchema<Out, In> extends Schema<Out, In> {
  constructor(structural: StructuralSchema) {
    super(structural, "required");
  }

  /** Makes the object atomic: one manager owns all of it. */
  atomic(): this {
    return this.with({ "x-kubernetes-map-type": "atomic" });
  }

  /** Preserves undeclared fields instead of pruning them. */
  preserveUnknownFields(): this {
    return this.with({ "x-kubernetes-preserve-unknown-fields": true });
  }

  /** Requires exactly one of these optional fields: a union. */
  exactlyOneOf(...names: readonly (keyof Out & string)[]): this {
    return this.oneOf(...this.#presence("exactlyOneOf", names));
  }

  /** Requires at least one of these optional fields. */
  atLeastOneOf(...names: readonly (keyof Out & string)[]): this {
    return this.anyOf(...this.#presence("atLeastOneOf", names));
  }

  #presence(what: string, names: readonly string[]): readonly { readonly required: readonly string[] }[] {
    for (const name of names) {
      if (this.structural.required?.includes(name) === true) {
        throw new DeclarationError(`${what}: ${name} is required: write .optional() on it`);
      }
    }
    return names.map((name) => ({ required: [name] }));
  }
}

/** Returns the structural schemas of declared fields and the names of the required ones. */
export function structuralFieldsOf(fields: Readonly<Record<string, AnySchema>>): StructuralSchema {
  const required = Object.keys(fields).filter((name) => fields[name]?.presence === "required");
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.structural]));
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}
