import { isJsonObject, stringifyJson } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { ProtobufWriter } from "./writer.ts";

/** Encodes one value of a document under a field number. */
type Write = (writer: ProtobufWriter, number: number, value: JsonValue) => void;

/** Fields of a message: document key → number and encoder. Keys that start with `x-` are encoded as `extensions`. */
interface Message {
  readonly fields: () => Readonly<Record<string, readonly [number: number, write: Write]>>;
  readonly extensions?: number;
}

const text: Write = (writer, number, value) => {
  if (typeof value === "string") writer.string(number, value);
};
const flag: Write = (writer, number, value) => {
  if (value === true) writer.bool(number, true);
};
const whole: Write = (writer, number, value) => {
  if (typeof value === "number") writer.int64(number, value);
};
const double: Write = (writer, number, value) => {
  if (typeof value === "number") writer.double(number, value);
};

/** Encodes any value as YAML text (JSON is valid YAML). */
const any: Write = (writer, number, value) => {
  writer.message(number, () => writer.string(2, stringifyJson(value)));
};

function each(write: Write): Write {
  return (writer, number, value) => {
    for (const item of Array.isArray(value) ? value : []) write(writer, number, item);
  };
}

function message(of: Message): Write {
  return (writer, number, value) => writer.message(number, () => fields(writer, of, value));
}

function fields(writer: ProtobufWriter, of: Message, value: JsonValue): void {
  if (!isJsonObject(value)) return;
  const known = of.fields();
  for (const [key, field] of Object.entries(value)) {
    const entry = Object.hasOwn(known, key) ? known[key] : undefined;
    if (entry !== undefined) entry[1](writer, entry[0], field);
    else if (key.startsWith("x-") && of.extensions !== undefined) {
      writer.message(of.extensions, () => {
        writer.string(1, key);
        any(writer, 2, field);
      });
    }
  }
}

/** Encodes a map as a list of name and value entries. */
function named(number: number, write: Write): Write {
  return (writer, outer, value) => {
    if (!isJsonObject(value)) return;
    writer.message(outer, () => {
      for (const [name, item] of Object.entries(value)) {
        writer.message(number, () => {
          writer.string(1, name);
          write(writer, 2, item);
        });
      }
    });
  };
}

/** Wraps a value in a message. */
function inside(number: number, write: Write): Write {
  return (writer, outer, value) => writer.message(outer, () => write(writer, number, value));
}

const additional: Write = (writer, number, value) => {
  writer.message(number, () => {
    if (typeof value === "boolean") writer.bool(2, value);
    else schema(writer, 1, value);
  });
};

const SCHEMA: Message = {
  extensions: 31,
  fields: () => SCHEMA_FIELDS,
};

const schema: Write = message(SCHEMA);

const SCHEMA_FIELDS: Readonly<Record<string, readonly [number, Write]>> = {
  $ref: [1, text],
  format: [2, text],
  title: [3, text],
  description: [4, text],
  default: [5, any],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, flag],
  minimum: [9, double],
  exclusiveMinimum: [10, flag],
  maxLength: [11, whole],
  minLength: [12, whole],
  pattern: [13, text],
  maxItems: [14, whole],
  minItems: [15, whole],
  uniqueItems: [16, flag],
  maxProperties: [17, whole],
  minProperties: [18, whole],
  required: [19, each(text)],
  enum: [20, each(any)],
  additionalProperties: [21, additional],
  type: [22, inside(1, text)],
  items: [23, inside(1, schema)],
  allOf: [24, each(schema)],
  properties: [25, named(1, schema)],
  example: [30, any],
};

const QUERY: Message = {
  extensions: 23,
  fields: () => ({
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
    format: [7, text],
    uniqueItems: [20, flag],
  }),
};

const PATH: Message = {
  extensions: 22,
  fields: () => ({
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
    format: [6, text],
    uniqueItems: [19, flag],
  }),
};

const BODY: Message = {
  extensions: 6,
  fields: () => ({
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, flag],
    schema: [5, schema],
  }),
};

/** Encodes a parameter: a body parameter, or a non-body parameter for one of several locations. */
const parameter: Write = (writer, number, value) => {
  const place = isJsonObject(value) ? value["in"] : undefined;
  const other = place === "path" ? inside(4, message(PATH)) : inside(3, message(QUERY));
  const one = place === "body" ? inside(1, message(BODY)) : inside(2, other);
  inside(1, one)(writer, number, value);
};

const RESPONSE: Message = {
  extensions: 5,
  fields: () => ({ description: [1, text], schema: [2, inside(1, schema)] }),
};

const OPERATION: Message = {
  extensions: 13,
  fields: () => ({
    tags: [1, each(text)],
    description: [3, text],
    operationId: [5, text],
    produces: [6, each(text)],
    consumes: [7, each(text)],
    parameters: [8, each(parameter)],
    responses: [9, named(1, inside(1, message(RESPONSE)))],
    schemes: [10, each(text)],
  }),
};

const PATH_ITEM: Message = {
  extensions: 10,
  fields: () => ({
    get: [2, message(OPERATION)],
    put: [3, message(OPERATION)],
    post: [4, message(OPERATION)],
    delete: [5, message(OPERATION)],
    patch: [8, message(OPERATION)],
    parameters: [9, each(parameter)],
  }),
};

const INFO: Message = { fields: () => ({ title: [1, text], version: [2, text] }) };

const DOCUMENT: Message = {
  extensions: 16,
  fields: () => ({
    swagger: [1, text],
    info: [2, message(INFO)],
    paths: [8, named(2, message(PATH_ITEM))],
    definitions: [9, named(1, schema)],
  }),
};

/** Encodes a Swagger 2.0 document as the protobuf message `openapi.v2.Document`, which older clients request. */
export function encodeSwagger(document: JsonObject): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  fields(writer, DOCUMENT, document);
  return writer.finish();
}
