import { propertySchema } from "../schema/index.ts";
import type { StructuralSchema } from "../schema/index.ts";

/** Reports whether a path consists of field names only: `.spec.template.name`. */
export function isPlainPath(path: string): boolean {
  return /^(\.[A-Za-z_]\w*)+$/u.test(path);
}

/** Returns the schema of the field at a plain path, or undefined. */
export function fieldAt(schema: StructuralSchema, path: string): StructuralSchema | undefined {
  let at: StructuralSchema | undefined = schema;
  for (const part of path.slice(1).split(".")) at = at === undefined ? undefined : propertySchema(at, part);
  return at;
}
