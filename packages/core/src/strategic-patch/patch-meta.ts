import { propertySchema } from "../schema/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { StrategicPatchError } from "./strategic-patch-error.ts";

/** How the value of a field is patched. */
export interface PatchMeta {
  /** Lists: whether items are merged. Objects are merged unless the strategy is replace. */
  readonly strategy: "merge" | "replace" | undefined;
  /** The field that identifies list items; undefined for scalars. */
  readonly mergeKey: string | undefined;
  /** The schema of the value; undefined below undeclared fields. */
  readonly schema: StructuralSchema | undefined;
}

/** Returns the patch strategy of a field. Throws a `StrategicPatchError` for an unknown field. */
export function lookupPatchMeta(schema: StructuralSchema | undefined, name: string): PatchMeta {
  const field = schema === undefined ? undefined : propertySchema(schema, name);
  if (field === undefined && schema !== undefined && !isOpen(schema)) {
    throw new StrategicPatchError(
      "other",
      `unable to find api field in struct for the json field ${JSON.stringify(name)}`,
    );
  }
  const strategies = field?.["x-kubernetes-patch-strategy"]?.split(",") ?? [];
  return {
    strategy: strategies.includes("merge") ? "merge" : strategies.includes("replace") ? "replace" : undefined,
    mergeKey: field?.["x-kubernetes-patch-merge-key"],
    schema: field,
  };
}

/** Reports whether an object accepts undeclared fields. */
function isOpen(schema: StructuralSchema): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true || schema.properties === undefined;
}
