import { isJsonObject } from "@levelset/core";
import type { FieldError } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import { invalidField } from "../field.ts";
import type { Resource } from "../resource.ts";

const INT32_MAX = 2 ** 31 - 1;

/** What the scale of a declared kind cannot show: numbers below zero or too large. Fields are named by their path, dot included. */
export function* scaleErrors(resource: Resource, object: ApiObject): Generator<FieldError, void> {
  const { scale } = resource;
  if (scale === undefined) return;
  yield* numberErrors(scale.specReplicasPath, at(object, scale.specReplicasPath));
  yield* numberErrors(scale.statusReplicasPath, at(object, scale.statusReplicasPath));
}

function* numberErrors(path: string, value: unknown): Generator<FieldError, void> {
  if (typeof value !== "number" && typeof value !== "bigint") return;
  if (value < 0) yield invalidField(path, value, "should be a non-negative integer");
  else if (value > INT32_MAX) yield invalidField(path, value, `should be less than or equal to ${INT32_MAX}`);
}

/** The value at a path such as `.spec.replicas`; undefined where there is none. */
export function at(object: ApiObject, path: string): unknown {
  return stepsOf(path).reduce<unknown>(
    (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    object,
  );
}

/** The names along a path such as `.spec.replicas`. */
export function stepsOf(path: string): readonly string[] {
  return path.replace(/^\./u, "").split(".");
}
