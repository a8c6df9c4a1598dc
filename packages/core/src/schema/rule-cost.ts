import type { CelProgram, SizeHints } from "../cel/index.ts";
import { celName } from "./cel-type.ts";
import type { StructuralSchema } from "./structural.ts";

/** The largest request that a server reads, and so the bound of everything that declares none. */
const REQUEST_BYTES = 3 * 1024 * 1024;

/** What one rule may cost at most, estimated for the largest data that its schema allows. The real server's own limit. */
const RULE_COST_MAX = 10_000_000;

/** How many values of a place one object can hold: as often may a rule there be asked. */
export function itemsMax(schema: StructuralSchema): number {
  if (schema.items !== undefined) {
    return schema.maxItems ?? Math.floor((REQUEST_BYTES - 2) / (smallestSize(schema.items) + 1));
  }
  const rest = schema.additionalProperties;
  if (rest === undefined) return 1;
  return schema.maxProperties ?? Math.floor((REQUEST_BYTES - 2) / (smallestSize(rest) + 6));
}

/** How large the parts of `self` may be, by their paths in an expression. */
export function sizeHints(schema: StructuralSchema): SizeHints {
  const paths: Record<string, number> = {};
  for (const root of ["self", "oldSelf"]) collect(schema, root, paths);
  return { paths, otherwise: REQUEST_BYTES };
}

function collect(schema: StructuralSchema, path: string, paths: Record<string, number>): void {
  if (schema.type === "string") paths[path] = longestText(schema);
  if (schema.type === "integer" || schema.type === "number" || schema.type === "boolean") paths[path] = 0;
  if (schema.items !== undefined || schema.additionalProperties !== undefined) {
    paths[path] = itemsMax(schema);
    const part = schema.items ?? schema.additionalProperties;
    if (part !== undefined) collect(part, `${path}[*]`, paths);
  }
  for (const [key, child] of Object.entries(schema.properties ?? {})) {
    const name = celName(key);
    if (name !== undefined) collect(child, `${path}.${name}`, paths);
  }
}

function longestText(schema: StructuralSchema): number {
  if (schema.enum !== undefined) {
    return Math.max(0, ...schema.enum.map((value) => (typeof value === "string" ? value.length : 0)));
  }
  // Limits count characters, requests count bytes: up to four each.
  if (schema.maxLength !== undefined) return schema.maxLength * 4;
  if (schema.format === "duration" || schema.format === "date-time") return 32;
  return schema.format === "date" ? 12 : REQUEST_BYTES - 2;
}

/** The fewest bytes that a value takes in a request. */
function smallestSize(schema: StructuralSchema): number {
  switch (schema.type) {
    case "boolean":
      return 4;
    case "string":
    case "array":
      return 2;
    case "object": {
      const required = schema.required ?? [];
      return required.reduce((size, name) => {
        const field = schema.properties?.[name];
        return field === undefined || field.default !== undefined ? size : size + name.length + smallestSize(field) + 4;
      }, 2);
    }
    default:
      return 1;
  }
}

/** Why a rule costs too much; undefined if it does not. `times` is how often it may be asked of one object. */
export function costProblem(program: CelProgram, hints: SizeHints, times: number): string | undefined {
  const cost = program.estimateCost(hints).max * times;
  if (cost <= RULE_COST_MAX) return undefined;
  const factor = cost / RULE_COST_MAX;
  const much = factor > 100 ? "more than 100" : factor.toFixed(1);
  return `could cost ${much} times what a rule may: write .max() on the lists, maps and texts that it reads`;
}
