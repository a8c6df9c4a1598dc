import type { StructuralSchema, FieldError } from "@levelset/core/schema";
import { invalidField } from "../../../resource/index.ts";

/** Validates a JSON path in dot notation, as in printer columns and scale paths. */
export function* simplePathErrors(field: string, path: string): Generator<FieldError, void> {
  if (!path.startsWith(".")) yield invalidField(field, path, "must be a simple json path starting with .");
}

/** Returns the schema at a path such as `.spec.color` or `.spec['a.b']`, or an error message. */
export function schemaAt(
  schema: StructuralSchema,
  path: string,
  brackets: "allowed" | "forbidden",
):
  | { readonly kind: "found"; readonly schema: StructuralSchema; readonly root: string }
  | { readonly kind: "wrong"; readonly why: string } {
  const wrong = (why: string): { readonly kind: "wrong"; readonly why: string } => ({ kind: "wrong", why });
  const steps = [...path.matchAll(/\.(?<name>[^.[\]]+)|\['(?<quoted>(?:[^'\\]|\\.)*)'\]/gu)];
  if (brackets === "forbidden" && path.includes("[")) return wrong("array notation is not allowed");
  if (steps.length === 0 || steps.map(([text]) => text).join("") !== path)
    return wrong("expected [ or . but got: " + path);
  let current = schema;
  for (const { groups } of steps) {
    const name = groups?.["name"] ?? (groups?.["quoted"] ?? "").replaceAll(/\\(.)/gu, "$1");
    const field =
      current.properties?.[name] ?? (groups?.["quoted"] === undefined ? undefined : current.additionalProperties);
    if (field === undefined) return wrong("does not refer to a valid field");
    current = field;
  }
  return { kind: "found", schema: current, root: steps[0]?.groups?.["name"] ?? "" };
}
