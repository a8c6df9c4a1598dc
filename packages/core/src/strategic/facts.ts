import { propertySchema } from "../schema/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { StrategicPatchError } from "./error.ts";

/** How the value of a field is patched. */
export interface PatchFacts {
  /** Lists: whether items are merged; objects are, unless said to be replaced. */
  readonly strategy: "merge" | "replace" | undefined;
  /** The field that tells items of a list apart; undefined for scalars. */
  readonly mergeKey: string | undefined;
  /** The schema of the value; undefined below what is not declared. */
  readonly schema: StructuralSchema | undefined;
}

/** What is known about a field. Throws a `StrategicPatchError` for one that the kind does not have. */
export function patchFacts(schema: StructuralSchema | undefined, name: string): PatchFacts {
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

/** Whether an object has fields beyond those that are declared. */
function isOpen(schema: StructuralSchema): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true || schema.properties === undefined;
}
