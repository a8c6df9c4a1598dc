import { selectorFields } from "@levelset/core/internal";
import { matchesFieldSelector } from "@levelset/core/schema";
import type { FieldSelector } from "@levelset/core/schema";
import type { ApiObject } from "../store/index.ts";
import { badRequestError } from "./status-errors.ts";
import type { Resource } from "./resource.ts";

/** Compiles a field selector to a predicate. Throws BadRequest for a field that the resource does not support. */
export function fieldMatcher(resource: Resource, selector: FieldSelector): (object: ApiObject) => boolean {
  const { fields, unknown } = resource.fieldLabels;
  for (const field of selectorFields(selector)) {
    if (!Object.hasOwn(fields, field)) throw badRequestError(unknown(field));
  }
  return (object) => matchesFieldSelector(selector, (field) => fields[field]?.(object));
}
