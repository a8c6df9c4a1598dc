import { AssertionError } from "node:assert";
import { inspect } from "node:util";

/**
 * Expected shape of a value. Objects may have more fields, lists may not have more items. `undefined` means that a
 * field must be absent, a regular expression matches a string, a function matches anything else.
 */
export type Shape =
  | string
  | number
  | boolean
  | null
  | undefined
  | RegExp
  | ((value: unknown) => boolean)
  | readonly Shape[]
  | { readonly [field: string]: Shape };

/** Fails unless the value has the shape; reports the path of the difference. */
export function match(value: unknown, shape: Shape, where = "it"): void {
  const difference = differ(value, shape, where);
  if (difference !== undefined) throw new AssertionError({ message: difference });
}

function differ(value: unknown, shape: Shape, where: string): string | undefined {
  const wrong = (desired: string): string => `${where} is ${formatShort(value)}, not ${desired}`;
  if (shape instanceof RegExp) return typeof value === "string" && shape.test(value) ? undefined : wrong(String(shape));
  if (typeof shape === "function") return shape(value) ? undefined : wrong(`accepted by ${String(shape)}`);
  if (Array.isArray(shape)) {
    const list = shape as readonly Shape[]; // isArray does not narrow readonly lists
    if (!Array.isArray(value) || value.length !== list.length)
      return wrong(`a list of ${list.length} like ${formatShort(shape)}`);
    return firstOf(list.map((item, index) => differ(value[index], item, `${where}[${index}]`)));
  }
  if (typeof shape === "object" && shape !== null) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return wrong(`an object like ${formatShort(shape)}`);
    const fields = value as Readonly<Record<string, unknown>>; // any object has fields
    return firstOf(Object.entries(shape).map(([name, inner]) => differ(fields[name], inner, `${where}.${name}`)));
  }
  return Object.is(value, shape) ? undefined : wrong(formatShort(shape));
}

function firstOf(differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((difference) => difference !== undefined);
}

/** Formats a value briefly. */
export function formatShort(value: unknown): string {
  const text = inspect(value, { depth: 6, breakLength: Infinity, maxStringLength: 600 });
  return text.length > 700 ? `${text.slice(0, 700)}…` : text;
}

/** Returns the value at a path such as `metadata.labels.app` or `items.0.spec`, or undefined. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, step) => {
    if (typeof inner !== "object" || inner === null) return undefined;
    return (inner as Readonly<Record<string, unknown>>)[step]; // any object has fields
  }, value);
}
