import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { FieldProblem } from "../resource/index.ts";

/** The members of a shape that a selection may name: nothing below it, these below it, or any. */
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

/** What to show of a resource: whole members, or parts of them. */
export type Selection = { readonly [name: string]: Selection | "whole" };

/** A selection; undefined shows everything. */
export type ParsedSelection =
  | { readonly kind: "selection"; readonly selection: Selection | undefined }
  | { readonly kind: "problem"; readonly problem: FieldProblem };

/** Reads `fields`: names of members, with dots for parts of them, also of those in lists. The id is always shown. */
export function parseFields(text: string): ParsedSelection {
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
  const selection = paths.reduce<Selection>((found, path) => withPath(found, path.split(".")), { id: "whole" });
  return { kind: "selection", selection };
}

function isKnown(shape: Shape, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (shape === "open") return name !== "" && isKnown("open", rest);
  if (shape === "leaf" || !Object.hasOwn(shape, name)) return false;
  return isKnown(shape[name] ?? "leaf", rest);
}

function withPath(selection: Selection, [name = "", ...rest]: readonly string[]): Selection {
  const known = Object.hasOwn(selection, name) ? selection[name] : undefined;
  if (known === "whole" || rest.length === 0) return own(selection, name, "whole");
  return own(selection, name, withPath(known ?? {}, rest));
}

/** With a member of that name, even if it is `__proto__`. */
function own(selection: Selection, name: string, value: Selection | "whole"): Selection {
  return Object.fromEntries([...Object.entries(selection).filter(([other]) => other !== name), [name, value]]);
}

/** What a selection shows of some data. */
export function select(data: JsonObject, selection: Selection | undefined): JsonObject {
  if (selection === undefined) return data;
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): readonly (readonly [string, JsonValue])[] => {
      const wanted = Object.hasOwn(selection, name) ? selection[name] : undefined;
      if (wanted === undefined) return [];
      return [[name, wanted === "whole" ? value : part(value, wanted)]];
    }),
  );
}

function part(value: JsonValue, selection: Selection): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => part(item, selection));
  return isJsonObject(value) ? select(value, selection) : value;
}
