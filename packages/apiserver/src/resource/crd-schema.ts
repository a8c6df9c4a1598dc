import { isJsonObject } from "@levelset/core";
import type { CrdFields } from "@levelset/core/internal";
import type { KubeObject } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core/schema";
import { asRecord } from "./json-access.ts";

/** A stored CustomResourceDefinition. Validated when it was written. */
export type Crd = KubeObject & CrdFields;

/** Converts a stored schema to core's type. `additionalProperties: true` is expanded to a schema. */
export function toStructuralSchema(given: unknown): StructuralSchema {
  const { additionalProperties, properties, items, ...rest } = asRecord(given);
  const anything: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };
  // Validated when the CustomResourceDefinition was written; the other keywords are scalars and lists of scalars.
  return {
    ...(rest as StructuralSchema),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(asRecord(properties)).map(([name, child]) => [name, toStructuralSchema(child)]),
          ),
        }),
    ...(items === undefined ? {} : { items: toStructuralSchema(items) }),
    ...(isJsonObject(additionalProperties) ? { additionalProperties: toStructuralSchema(additionalProperties) } : {}),
    ...(additionalProperties === true ? { additionalProperties: anything } : {}),
  };
}
