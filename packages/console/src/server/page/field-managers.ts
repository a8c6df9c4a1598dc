import { formatFieldPath } from "@levelset/core/apply";
import type { FieldPath, FieldSet } from "@levelset/core/apply";
import type { KubeObject } from "@levelset/core";
import type { FieldManagerView } from "../../api/index.ts";
import { fieldOwnersOf } from "../yaml/yaml-lines.ts";

/** Maximum number of fields, and of path elements: `.status.conditions` has two. */
const FIELDS_MAX = 4;
const DEPTH_MAX = 2;

/** Returns the field managers of an object, by name and subresource, the newest write first. */
export function fieldManagersOf(object: KubeObject): readonly FieldManagerView[] {
  const views = fieldOwnersOf(object).map(({ manager, subresource, time, fields }): FieldManagerView => {
    const leaves = fieldsOf(fields, []);
    return {
      manager: manager === "" ? "unknown" : manager,
      subresource,
      ...(time === undefined ? {} : { time }),
      fields: leaves.slice(0, FIELDS_MAX).map(formatFieldPath),
      left: Math.max(0, leaves.length - FIELDS_MAX),
    };
  });
  return views.toSorted((a, b) => (b.time ?? "").localeCompare(a.time ?? "", "en"));
}

function fieldsOf(fields: FieldSet, path: FieldPath): readonly FieldPath[] {
  return fields.elements.flatMap((element) => {
    const below = fields.withPrefix(element);
    const here = [...path, element];
    return below.isEmpty || here.length >= DEPTH_MAX ? [here] : fieldsOf(below, here);
  });
}
