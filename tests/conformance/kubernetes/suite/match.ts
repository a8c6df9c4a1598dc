import { AssertionError } from "node:assert";
import { inspect } from "node:util";

/**
 * What a value must look like. Objects may have more fields than named, lists may not have more items; `undefined` is for a field
 * that must be absent, an expression for a text that it matches, a function for anything else.
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

/** Fails unless the value has the shape; says where it differs. */
export function match(value: unknown, shape: Shape, where = "it"): void {
  const difference = differ(value, shape, where);
  if (difference !== undefined) throw new AssertionError({ message: difference });
}

function differ(value: unknown, shape: Shape, where: string): string | undefined {
  const wrong = (wanted: string): string => `${where} is ${show(value)}, not ${wanted}`;
  if (shape instanceof RegExp) return typeof value === "string" && shape.test(value) ? undefined : wrong(String(shape));
  if (typeof shape === "function") return shape(value) ? undefined : wrong(`as wanted: ${String(shape)}`);
  if (Array.isArray(shape)) {
    const list = shape as readonly Shape[]; // isArray does not narrow readonly lists
    if (!Array.isArray(value) || value.length !== list.length)
      return wrong(`a list of ${list.length} like ${show(shape)}`);
    return firstOf(list.map((item, index) => differ(value[index], item, `${where}[${index}]`)));
  }
  if (typeof shape === "object" && shape !== null) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return wrong(`an object like ${show(shape)}`);
    const fields = value as Readonly<Record<string, unknown>>; // any object can be asked for a field
    return firstOf(Object.entries(shape).map(([name, inner]) => differ(fields[name], inner, `${where}.${name}`)));
  }
  return Object.is(value, shape) ? undefined : wrong(show(shape));
}

function firstOf(differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((difference) => difference !== undefined);
}

/** A value in few words. */
export function show(value: unknown): string {
  const text = inspect(value, { depth: 6, breakLength: Infinity, maxStringLength: 600 });
  return text.length > 700 ? `${text.slice(0, 700)}…` : text;
}

/** The value at a path such as `metadata.labels.app` or `items.0.spec`; undefined where there is none. */
export function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, step) => {
    if (typeof inner !== "object" || inner === null) return undefined;
    return (inner as Readonly<Record<string, unknown>>)[step]; // any object can be asked for a field
  }, value);
}
