import { isJsonObject } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { parseElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";
import { FieldSet } from "./field-set.ts";
import type { FieldNode } from "./field-set.ts";

/** Key for the membership of the path itself. */
const SELF = ".";

/** The encodings of sets, and the reverse: managedFields are decoded with each write, and most entries do not change. */
const encoded = new WeakMap<FieldSet, JsonObject>();
const decoded = new WeakMap<JsonObject, FieldSet>();

/** Encodes a set as `fieldsV1` of managedFields, sorted. Equal sets give equal objects. */
export function encodeFieldsV1(set: FieldSet): JsonObject {
  const known = encoded.get(set);
  if (known !== undefined) return known;
  const fields = encode(set, false);
  encoded.set(set, fields);
  decoded.set(fields, set);
  return fields;
}

function encode(set: FieldSet, withSelf: boolean): JsonObject {
  // Keys have a type prefix, so they cannot collide with names on Object.prototype.
  const fields: Record<string, JsonObject> = withSelf ? { [SELF]: {} } : {};
  for (const element of set.elements) {
    const below = set.withPrefix(element);
    fields[element] = below.isEmpty ? {} : encode(below, set.hasElement(element));
  }
  return fields;
}

/** Decodes `fieldsV1`, with keys in any order. Throws a `SyntaxError` if it is malformed. */
export function decodeFieldsV1(fields: JsonValue): FieldSet {
  return (isJsonObject(fields) ? decoded.get(fields) : undefined) ?? decode(fields).withPrefix;
}

function decode(fields: JsonValue): FieldNode {
  if (!isJsonObject(fields)) throw new SyntaxError("the fields of a managedFields entry are objects all the way down");
  const steps: [PathElement, FieldNode][] = [];
  for (const [text, child] of Object.entries(fields)) {
    const element = text === SELF ? undefined : parseElement(text);
    if (element !== undefined) steps.push([element, decode(child)]);
  }
  const withPrefix = FieldSet.from(steps);
  return { member: withPrefix.isEmpty || Object.hasOwn(fields, SELF), withPrefix };
}
