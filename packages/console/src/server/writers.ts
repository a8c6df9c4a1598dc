import { describePath } from "@levelset/core";
import type { FieldPath, FieldSet, KubeObject } from "@levelset/core";
import type { WriterView } from "../api/index.ts";
import { ownersOf } from "./yaml-lines.ts";

/** How many fields are named, and how far in: `.status.conditions` says enough. */
const FIELDS_MAX = 4;
const DEPTH_MAX = 2;

/** Who wrote an object last, by each name and door, the newest first. */
export function writersOf(object: KubeObject): readonly WriterView[] {
  const views = ownersOf(object).map(({ manager, subresource, time, fields }): WriterView => {
    const leaves = fieldsOf(fields, []);
    return {
      manager: manager === "" ? "unknown" : manager,
      subresource,
      ...(time === undefined ? {} : { time }),
      fields: leaves.slice(0, FIELDS_MAX).map(describePath),
      left: Math.max(0, leaves.length - FIELDS_MAX),
    };
  });
  return views.toSorted((a, b) => (b.time ?? "").localeCompare(a.time ?? "", "en"));
}

function fieldsOf(fields: FieldSet, path: FieldPath): readonly FieldPath[] {
  return fields.elements.flatMap((element) => {
    const below = fields.below(element);
    const here = [...path, element];
    return below.isEmpty || here.length >= DEPTH_MAX ? [here] : fieldsOf(below, here);
  });
}
