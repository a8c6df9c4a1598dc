import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { FieldProblem } from "../resource/index.ts";

/** Fields of a shape that a mask may name: none below it, these, or any. */
type Shape = "leaf" | "open" | { readonly [name: string]: Shape };

const REFERENCE: Shape = { id: "leaf", kind: "leaf", href: "leaf" };
const CONDITION: Shape = {
  type: "leaf",
  status: "leaf",
  reason: "leaf",
  message: "leaf",
  observed_generation: "leaf",
  created_time: "leaf",
  last_updated_time: "leaf",
  last_transition_time: "leaf",
};
const RESOURCE: Shape = {
  id: "leaf",
  kind: "leaf",
  name: "leaf",
  href: "leaf",
  spec: "open",
  labels: "open",
  generation: "leaf",
  created_time: "leaf",
  updated_time: "leaf",
  created_by: "leaf",
  updated_by: "leaf",
  deleted_time: "leaf",
  deleted_by: "leaf",
  owner_references: REFERENCE,
  references: "open",
  tenancy: "open",
  status: { conditions: CONDITION },
};

/** Fields of a resource to show: whole or in parts. */
export type FieldMask = { readonly [name: string]: FieldMask | "whole" };

/** A parsed mask; undefined shows everything. */
export type ParsedFieldMask =
  | { readonly kind: "selection"; readonly selection: FieldMask | undefined }
  | { readonly kind: "problem"; readonly problem: FieldProblem };

/** Parses `fields`: field names, with dots for nested fields, including those in lists. The id is always shown. */
export function parseFieldMask(text: string): ParsedFieldMask {
  const paths = text
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");
  const unknown = paths.filter((path) => !isKnown(RESOURCE, path.split(".")));
  if (unknown.length > 0) {
    const message = `The following field(s) doesn't exist in \`Resource\`: ${unknown.join(", ")}`;
    return { kind: "problem", problem: { field: "fields", message, value: text } };
  }
  if (paths.length === 0) return { kind: "selection", selection: undefined };
  const selection = paths.reduce<FieldMask>((found, path) => withPath(found, path.split(".")), { id: "whole" });
  return { kind: "selection", selection };
}

function isKnown(shape: Shape, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (shape === "open") return name !== "" && isKnown("open", rest);
  if (shape === "leaf" || !Object.hasOwn(shape, name)) return false;
  return isKnown(shape[name] ?? "leaf", rest);
}

function withPath(selection: FieldMask, [name = "", ...rest]: readonly string[]): FieldMask {
  const known = Object.hasOwn(selection, name) ? selection[name] : undefined;
  if (known === "whole" || rest.length === 0) return own(selection, name, "whole");
  return own(selection, name, withPath(known ?? {}, rest));
}

/** Adds an own property of that name, even for `__proto__`. */
function own(selection: FieldMask, name: string, value: FieldMask | "whole"): FieldMask {
  return Object.fromEntries([...Object.entries(selection).filter(([other]) => other !== name), [name, value]]);
}

/** Returns the masked data. */
export function applyFieldMask(data: JsonObject, selection: FieldMask | undefined): JsonObject {
  if (selection === undefined) return data;
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): readonly (readonly [string, JsonValue])[] => {
      const selected = Object.hasOwn(selection, name) ? selection[name] : undefined;
      if (selected === undefined) return [];
      return [[name, selected === "whole" ? value : part(value, selected)]];
    }),
  );
}

function part(value: JsonValue, selection: FieldMask): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => part(item, selection));
  return isJsonObject(value) ? applyFieldMask(value, selection) : value;
}
