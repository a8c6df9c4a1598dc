import { isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { readElement } from "./element.ts";
import type { PathElement } from "./element.ts";
import { FieldSet } from "./field-set.ts";

/** Stands for the path itself beside the paths that go on from it. */
const SELF = ".";

const encoded = new WeakMap<FieldSet, JsonObject>();

/** A set in the form that `fieldsV1` of managedFields has, its steps in order. The same set gives the same object. */
export function encodeFields(set: FieldSet): JsonObject {
  const known = encoded.get(set);
  if (known !== undefined) return known;
  const fields = encode(set, false);
  encoded.set(set, fields);
  return fields;
}

function encode(set: FieldSet, withSelf: boolean): JsonObject {
  // A step is never like the name of something that all objects have, for it tells its kind first.
  const fields: Record<string, JsonObject> = withSelf ? { [SELF]: {} } : {};
  for (const element of set.elements) {
    const below = set.below(element);
    fields[element] = below.isEmpty ? {} : encode(below, set.hasElement(element));
  }
  return fields;
}

/** Reads what `encodeFields` writes, in any order. Throws a `SyntaxError` for anything else. */
export function decodeFields(fields: JsonValue): FieldSet {
  return decode(fields).below;
}

function decode(fields: JsonValue): { readonly member: boolean; readonly below: FieldSet } {
  if (!isJsonObject(fields)) throw new SyntaxError("the fields of a managedFields entry are objects all the way down");
  const steps: [PathElement, { readonly member: boolean; readonly below: FieldSet }][] = [];
  for (const [text, child] of Object.entries(fields)) {
    const element = text === SELF ? undefined : readElement(text);
    if (element !== undefined) steps.push([element, decode(child)]);
  }
  const below = FieldSet.from(steps);
  return { member: below.isEmpty || Object.hasOwn(fields, SELF), below };
}
