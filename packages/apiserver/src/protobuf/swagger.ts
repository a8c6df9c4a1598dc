import { isJsonObject } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import { API_TYPES } from "../api-types/index.ts";
import type { ApiField } from "../api-types/index.ts";
import { ProtobufWriter } from "./writer.ts";

const EXTENSIONS = "vendorExtension";

/** Encodes a Swagger 2.0 document as the protobuf message `openapi.v2.Document`, which older clients request. */
export function encodeSwagger(document: JsonObject): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  writeMessage(writer, "openapi.v2.Document", document);
  return writer.finish();
}

/**
 * Writes the fields of a message. A message is one of: any value as text, one of several alternatives, a map as a list
 * of names and values, a wrapper of one value, or an object. Fields that the message does not have are left out.
 */
function writeMessage(writer: ProtobufWriter, type: string, value: JsonValue): void {
  const fields = API_TYPES.properties(type);
  const [first] = fields.values();
  if (first === undefined) return;
  const entries = [...fields.values()].find(isNamedList);
  // YAML text, because JSON is valid YAML.
  if (type === "openapi.v2.Any") writeField(writer, first, stringifyJson(value));
  else if (first.marks.has("oneof")) writeField(writer, alternativeOf(fields, value) ?? first, value);
  else if (entries !== undefined) writeField(writer, entries, namedItems(value));
  else if (fields.size === 1) writeField(writer, first, [value].flat());
  else writeObject(writer, fields, value);
}

function writeObject(writer: ProtobufWriter, fields: ReadonlyMap<string, ApiField>, value: JsonValue): void {
  if (!isJsonObject(value)) return;
  const extensions = fields.get(EXTENSIONS);
  for (const [name, item] of Object.entries(value)) {
    const field = fields.get(name);
    if (field !== undefined) writeField(writer, field, item);
    else if (name.startsWith("x-") && extensions !== undefined) writeField(writer, extensions, [{ name, value: item }]);
  }
}

function writeField(writer: ProtobufWriter, field: ApiField, value: JsonValue): void {
  if (field.shape === "list") for (const item of Array.isArray(value) ? value : []) writeValue(writer, field, item);
  else writeValue(writer, field, value);
}

/** Writes one value. A value of another type than the field's is left out. */
function writeValue(writer: ProtobufWriter, { number, type, marks }: ApiField, value: JsonValue): void {
  switch (type) {
    case "string":
      if (typeof value === "string") writer.string(number, value);
      break;
    case "bool":
      // False is the default, except as an alternative.
      if (value === true || (value === false && marks.has("oneof"))) writer.bool(number, value);
      break;
    case "int64":
      if (typeof value === "number") writer.int64(number, value);
      break;
    case "double":
      if (typeof value === "number") writer.double(number, value);
      break;
    default:
      writer.message(number, () => writeMessage(writer, type, value));
  }
}

function isNamedList({ name, shape, type }: ApiField): boolean {
  return shape === "list" && name !== EXTENSIONS && type.startsWith("openapi.v2.Named");
}

function namedItems(value: JsonValue): JsonValue {
  return isJsonObject(value) ? Object.entries(value).map(([name, item]) => ({ name, value: item })) : [];
}

/** Returns the alternative of a boolean or of a parameter; undefined for the first one. */
function alternativeOf(fields: ReadonlyMap<string, ApiField>, value: JsonValue): ApiField | undefined {
  if (typeof value === "boolean") return fields.get("boolean");
  const location = isJsonObject(value) ? value["in"] : undefined;
  if (typeof location !== "string") return undefined;
  return (
    fields.get(`${location}ParameterSubSchema`) ??
    fields.get(location === "body" ? "bodyParameter" : "nonBodyParameter")
  );
}
