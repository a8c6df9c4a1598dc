import { forbiddenField, requiredField } from "../resource/index.ts";
import type { FieldErrors } from "./field-checks.ts";

/** Validation functions by source name. Sources without one are accepted. */
export type SourceChecks<T> = { readonly [K in keyof T]?: (path: string, source: NonNullable<T[K]>) => FieldErrors };

/** Validates that exactly one volume source is set. Every field of `sources` is a volume source. */
export function* oneSourceErrors<T extends object>(path: string, sources: T, checks: SourceChecks<T>): FieldErrors {
  const given = Object.entries(sources).filter(([, source]) => source !== undefined);
  if (given.length === 0) yield requiredField(path, "must specify a volume type");
  // If several sources are set, the order of the table determines which one is reported.
  const order = Object.keys(checks);
  const rank = (type: string): number => (order.includes(type) ? order.indexOf(type) : order.length);
  for (const [index, [type, source]] of given.toSorted(([a], [b]) => rank(a) - rank(b)).entries()) {
    if (index > 0) yield forbiddenField(`${path}.${type}`, "may not specify more than 1 volume type");
    else yield* checkOf(checks, type)?.(`${path}.${type}`, source) ?? [];
  }
}

function checkOf<T>(
  checks: SourceChecks<T>,
  type: string,
): ((path: string, source: unknown) => FieldErrors) | undefined {
  // The cast is safe: the table maps each field name to the validation of that field's type.
  return (checks as Readonly<Record<string, ((path: string, source: unknown) => FieldErrors) | undefined>>)[type];
}
