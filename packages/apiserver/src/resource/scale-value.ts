import { isJsonObject } from "@levelset/core";
import type { FieldError } from "@levelset/core/schema";
import type { ApiObject } from "../store/index.ts";
import { invalidField } from "./field-errors.ts";
import type { Resource } from "./resource.ts";

const INT32_MAX = 2 ** 31 - 1;

/** Validates the replica counts of a custom resource: not negative, within int32. Field paths start with a dot. */
export function* scaleErrors(resource: Resource, object: ApiObject): Generator<FieldError, void> {
  const { scale } = resource;
  if (scale === undefined) return;
  yield* numberErrors(scale.specReplicasPath, valueAt(object, scale.specReplicasPath));
  yield* numberErrors(scale.statusReplicasPath, valueAt(object, scale.statusReplicasPath));
}

function* numberErrors(path: string, value: unknown): Generator<FieldError, void> {
  if (typeof value !== "number" && typeof value !== "bigint") return;
  if (value < 0) yield invalidField(path, value, "should be a non-negative integer");
  else if (value > INT32_MAX) yield invalidField(path, value, `should be less than or equal to ${INT32_MAX}`);
}

/** Returns the value at a path such as `.spec.replicas`; undefined if there is none. */
export function valueAt(object: ApiObject, path: string): unknown {
  return pathSegments(path).reduce<unknown>(
    (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    object,
  );
}

/** Splits a path such as `.spec.replicas` into field names. */
export function pathSegments(path: string): readonly string[] {
  return path.replace(/^\./u, "").split(".");
}
