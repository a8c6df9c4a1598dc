import { DeclarationError } from "../error/index.ts";
import { checkCount, checkOrder } from "./scalar.ts";
import { Schema } from "./schema.ts";
import type { AnySchema } from "./schema.ts";
import type { StructuralSchema } from "./structural.ts";

/** A list. By itself it is replaced as a whole; `.set()` and `.keyedBy()` let several writers own parts of it. */
export class ListSchema<Out, In> extends Schema<readonly Out[], readonly In[]> {
  constructor(structural: StructuralSchema) {
    super(structural, "required");
  }

  /** The least number of items. */
  min(minItems: number): this {
    checkCount("min", minItems);
    checkOrder("min", minItems, this.structural.maxItems);
    return this.with({ minItems });
  }

  /** The greatest number of items. A bound makes rules about the items affordable. */
  max(maxItems: number): this {
    checkCount("max", maxItems);
    checkOrder("min", this.structural.minItems, maxItems);
    return this.with({ maxItems });
  }

  /** Each value at most once; writers own single values. For scalars, and for objects and lists that are atomic. */
  set(): this {
    const item = this.structural.items ?? {};
    const isAtomic = item["x-kubernetes-map-type"] === "atomic" || item["x-kubernetes-list-type"] === "atomic";
    if ((item.type === "object" || item.type === "array") && !isAtomic) {
      throw new DeclarationError(
        "a set holds scalars or atomic values: write .atomic() on its items, or use .keyedBy()",
      );
    }
    return this.with({ "x-kubernetes-list-type": "set" });
  }

  /** Items are told apart by these fields; writers own single items. */
  keyedBy(...keys: readonly (keyof Out & string)[]): this {
    const item = this.structural.items ?? {};
    if (item.type !== "object") throw new DeclarationError("only a list of objects has keys: use .set() for scalars");
    if (keys.length === 0) throw new DeclarationError("keyedBy needs the name of at least one field of the items");
    for (const key of keys) checkKey(item, key);
    return this.with({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys });
  }

  /** Replaced as a whole, said out loud. */
  atomic(): this {
    return this.with({ "x-kubernetes-list-type": "atomic" });
  }
}

function checkKey(item: StructuralSchema, key: string): void {
  const field = Object.hasOwn(item.properties ?? {}, key) ? item.properties?.[key] : undefined;
  if (field === undefined) throw new DeclarationError(`keyedBy: the items have no field ${key}`);
  if (field.type === "object" || field.type === "array") throw new DeclarationError(`keyedBy: ${key} is not a scalar`);
  if (field.default === undefined && item.required?.includes(key) !== true) {
    throw new DeclarationError(`keyedBy: ${key} may be absent: leave out .optional(), or give it a default`);
  }
}

/** An object with any keys and values of one kind. */
export class MapSchema<Out, In> extends Schema<Readonly<Record<string, Out>>, Readonly<Record<string, In>>> {
  constructor(structural: StructuralSchema) {
    super(structural, "required");
  }

  /** The least number of entries. */
  min(minProperties: number): this {
    checkCount("min", minProperties);
    checkOrder("min", minProperties, this.structural.maxProperties);
    return this.with({ minProperties });
  }

  /** The greatest number of entries. */
  max(maxProperties: number): this {
    checkCount("max", maxProperties);
    checkOrder("min", this.structural.minProperties, maxProperties);
    return this.with({ maxProperties });
  }

  /** One writer owns the whole map. */
  atomic(): this {
    return this.with({ "x-kubernetes-map-type": "atomic" });
  }
}

/** An object with declared fields. */
export class ObjectSchema<Out, In> extends Schema<Out, In> {
  constructor(structural: StructuralSchema) {
    super(structural, "required");
  }

  /** One writer owns the whole object. */
  atomic(): this {
    return this.with({ "x-kubernetes-map-type": "atomic" });
  }

  /** Fields that are not declared are kept instead of dropped. */
  open(): this {
    return this.with({ "x-kubernetes-preserve-unknown-fields": true });
  }

  /** Exactly one of these optional fields is given: a union of cases. */
  exactlyOneOf(...names: readonly (keyof Out & string)[]): this {
    return this.oneOf(...this.#presence("exactlyOneOf", names));
  }

  /** At least one of these optional fields is given. */
  atLeastOneOf(...names: readonly (keyof Out & string)[]): this {
    return this.anyOf(...this.#presence("atLeastOneOf", names));
  }

  #presence(what: string, names: readonly string[]): readonly { readonly required: readonly string[] }[] {
    for (const name of names) {
      if (this.structural.required?.includes(name) === true) {
        throw new DeclarationError(`${what}: ${name} is always there: write .optional() on it`);
      }
    }
    return names.map((name) => ({ required: [name] }));
  }
}

/** The structural schemas of declared fields, and the names of those that must be given. */
export function fieldsOf(fields: Readonly<Record<string, AnySchema>>): StructuralSchema {
  const required = Object.keys(fields).filter((name) => fields[name]?.presence === "required");
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.structural]));
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}
