import type { CelProgram, SizeHints } from "../cel/index.ts";
import { celName } from "./cel-type.ts";
import type { StructuralSchema } from "./structural.ts";

/**
 * Request size limit in bytes; bounds values without a declared limit (`MaxRequestSizeBytes`,
 * k8s.io/apiserver/pkg/apis/cel/config.go).
 */
const REQUEST_BYTES = 3 * 1024 * 1024;

/**
 * Estimated cost limit of one rule (`StaticEstimatedCostLimit`,
 * k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go).
 */
const RULE_COST_MAX = 10_000_000;

/** Returns the maximum number of values at a location per object, and so of rule evaluations. */
export function maxCardinality(schema: StructuralSchema): number {
  if (schema.items !== undefined) {
    return schema.maxItems ?? Math.floor((REQUEST_BYTES - 2) / (smallestSize(schema.items) + 1));
  }
  const rest = schema.additionalProperties;
  if (rest === undefined) return 1;
  return schema.maxProperties ?? Math.floor((REQUEST_BYTES - 2) / (smallestSize(rest) + 6));
}

/** Returns the maximum sizes of the parts of `self`, by their paths in an expression. */
export function sizeHints(schema: StructuralSchema): SizeHints {
  const paths: Record<string, number> = {};
  for (const root of ["self", "oldSelf"]) collect(schema, root, paths);
  return { paths, otherwise: REQUEST_BYTES };
}

function collect(schema: StructuralSchema, path: string, paths: Record<string, number>): void {
  if (schema.type === "string") paths[path] = longestText(schema);
  if (schema.type === "integer" || schema.type === "number" || schema.type === "boolean") paths[path] = 0;
  if (schema.items !== undefined || schema.additionalProperties !== undefined) {
    paths[path] = maxCardinality(schema);
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
  // maxLength counts characters, the request limit counts bytes: up to four per character.
  if (schema.maxLength !== undefined) return schema.maxLength * 4;
  if (schema.format === "duration" || schema.format === "date-time") return 32;
  return schema.format === "date" ? 12 : REQUEST_BYTES - 2;
}

/** Returns the minimum size in bytes of a value in a request. */
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

/** Returns why a rule exceeds the cost limit, or undefined. `times` is the number of evaluations per object. */
export function costProblem(program: CelProgram, hints: SizeHints, times: number): string | undefined {
  const cost = program.estimateCost(hints).max * times;
  if (cost <= RULE_COST_MAX) return undefined;
  const factor = cost / RULE_COST_MAX;
  const much = factor > 100 ? "more than 100" : factor.toFixed(1);
  return `estimated cost exceeds the limit by a factor of ${much}: write .max() on the lists, maps and strings that the rule reads`;
}
