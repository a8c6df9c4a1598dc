import { deepEqual } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import type { StructuralSchema, ValueRules } from "../schema/index.ts";
import type { Random } from "../time/index.ts";
import { pick } from "./pick.ts";

/**
 * Returns the schema with `allOf` and one alternative of each `anyOf` and `oneOf` merged into it. Values sampled from
 * it are likely valid.
 */
export function narrowSchema(schema: StructuralSchema, random: Random): StructuralSchema {
  const chosen = [pick(random, schema.anyOf ?? []), pick(random, schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return chosen.reduce<StructuralSchema>((out, rules) => (rules === undefined ? out : tightened(out, rules)), schema);
}

function tightened(schema: StructuralSchema, rules: ValueRules): StructuralSchema {
  const {
    properties,
    items,
    required,
    enum: allowed,
    anyOf: _any,
    oneOf: _one,
    allOf: _all,
    not: _not,
    ...own
  } = rules;
  const withItems = items === undefined || schema.items === undefined ? {} : { items: tightened(schema.items, items) };
  return {
    ...schema,
    ...own,
    ...tighterBounds(schema, rules),
    ...(required === undefined ? {} : { required: [...new Set([...(schema.required ?? []), ...required])] }),
    ...(allowed === undefined ? {} : { enum: both(schema.enum, allowed) }),
    ...(properties === undefined ? {} : { properties: tighterProperties(schema, properties) }),
    ...withItems,
  };
}

function tighterProperties(
  schema: StructuralSchema,
  rules: Readonly<Record<string, ValueRules>>,
): Readonly<Record<string, StructuralSchema>> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]): [string, StructuralSchema] => {
    const more = Object.hasOwn(rules, name) ? rules[name] : undefined;
    return [name, more === undefined ? field : tightened(field, more)];
  });
  return Object.fromEntries(fields);
}

const LOWER_BOUNDS = ["minimum", "minLength", "minItems", "minProperties"] as const;
const UPPER_BOUNDS = ["maximum", "maxLength", "maxItems", "maxProperties"] as const;

function tighterBounds(a: ValueRules, b: ValueRules): ValueRules {
  const bounds = (names: readonly (keyof ValueRules)[], choose: (x: number, y: number) => number): ValueRules =>
    Object.fromEntries(
      names.flatMap((name): [string, number][] => {
        const left = a[name];
        const right = b[name];
        return typeof left === "number" && typeof right === "number" ? [[name, choose(left, right)]] : [];
      }),
    );
  return { ...bounds(LOWER_BOUNDS, Math.max), ...bounds(UPPER_BOUNDS, Math.min) };
}

function both(a: readonly JsonValue[] | undefined, b: readonly JsonValue[]): readonly JsonValue[] {
  const common = b.filter((value) => a === undefined || a.some((other) => deepEqual(other, value)));
  return common.length === 0 ? b : common;
}
