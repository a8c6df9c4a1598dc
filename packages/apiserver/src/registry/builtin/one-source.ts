import { forbiddenField, requiredField } from "../field.ts";
import type { Errors } from "./check.ts";

/** How each source is checked, by name; those that are not here pass. */
export type SourceChecks<T> = { readonly [K in keyof T]?: (path: string, source: NonNullable<T[K]>) => Errors };

/** Exactly one of the fields says where a volume comes from. All fields of `sources` are such fields. */
export function* oneSourceErrors<T extends object>(path: string, sources: T, checks: SourceChecks<T>): Errors {
  const given = Object.entries(sources).filter(([, source]) => source !== undefined);
  if (given.length === 0) yield requiredField(path, "must specify a volume type");
  // Which of two is the one too many follows from the order of the table.
  const order = Object.keys(checks);
  const rank = (type: string): number => (order.includes(type) ? order.indexOf(type) : order.length);
  for (const [index, [type, source]] of given.toSorted(([a], [b]) => rank(a) - rank(b)).entries()) {
    if (index > 0) yield forbiddenField(`${path}.${type}`, "may not specify more than 1 volume type");
    else yield* checkOf(checks, type)?.(`${path}.${type}`, source) ?? [];
  }
}

function checkOf<T>(checks: SourceChecks<T>, type: string): ((path: string, source: unknown) => Errors) | undefined {
  // The table gives each name the check for its own source, and the source comes from the field of that name.
  return (checks as Readonly<Record<string, ((path: string, source: unknown) => Errors) | undefined>>)[type];
}
