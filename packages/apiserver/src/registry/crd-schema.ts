import { isJsonObject } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core";
import { recordOf } from "./shape.ts";

/** The schema as core reads it: `additionalProperties: true` is written out as what it means. */
export function structural(given: unknown): StructuralSchema {
  const { additionalProperties, properties, items, ...rest } = recordOf(given);
  const anything: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };
  // Checked when the declaration was written; the rest is scalars and lists of them.
  return {
    ...(rest as StructuralSchema),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(recordOf(properties)).map(([name, child]) => [name, structural(child)]),
          ),
        }),
    ...(items === undefined ? {} : { items: structural(items) }),
    ...(isJsonObject(additionalProperties) ? { additionalProperties: structural(additionalProperties) } : {}),
    ...(additionalProperties === true ? { additionalProperties: anything } : {}),
  };
}
