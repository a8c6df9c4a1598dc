import { deepEqual } from "@levelset/core";
import type { FieldError } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { forbiddenField, invalidField } from "./field.ts";
import type { KindRules } from "./rules.ts";
import { recordOf } from "./shape.ts";

const DATA_MAX_BYTES = 1024 * 1024;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;

/** ConfigMaps: keys, size, immutability. */
export const configMapRules: KindRules = {
  validate: (object, old) => [
    ...keyErrors(object, ["data", "binaryData"]),
    ...overlapErrors(object),
    ...base64Errors(object, "binaryData"),
    ...sizeErrors(object, ["data", "binaryData"]),
    ...immutableErrors(object, old, ["data", "binaryData"]),
  ],
};

/** Secrets: stringData becomes data, and the type is set once. */
export const secretRules: KindRules = {
  prepareCreate: (object) => ({ ...foldStringData(object), type: object["type"] ?? "Opaque" }),
  prepareUpdate: (object, old) => ({ ...foldStringData(object), type: object["type"] ?? old["type"] }),
  validate: (object, old) => [
    ...keyErrors(object, ["data"]),
    ...base64Errors(object, "data"),
    ...sizeErrors(object, ["data"]),
    ...(old !== undefined && object["type"] !== old["type"]
      ? [invalidField("type", object["type"], "field is immutable")]
      : []),
    ...immutableErrors(object, old, ["data"]),
  ],
};

function foldStringData(object: ApiObject): ApiObject {
  const { stringData, ...rest } = object;
  const given = Object.entries(recordOf(stringData));
  if (given.length === 0) return rest;
  const encoded = given.map(([key, value]) => [key, Buffer.from(String(value), "utf8").toString("base64")]);
  return { ...rest, data: { ...recordOf(rest["data"]), ...Object.fromEntries(encoded) } };
}

function keyErrors(object: ApiObject, fields: readonly string[]): readonly FieldError[] {
  return fields.flatMap((field) =>
    Object.keys(recordOf(object[field])).flatMap((key) =>
      keyProblems(key).map((problem) => invalidField(`${field}[${key}]`, key, problem)),
    ),
  );
}

function keyProblems(key: string): readonly string[] {
  const problems: string[] = [];
  if (key.length > 253) problems.push("must be no more than 253 characters");
  if (!/^[-._a-zA-Z0-9]+$/u.test(key)) {
    problems.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
        "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

function overlapErrors(object: ApiObject): readonly FieldError[] {
  const data = recordOf(object["data"]);
  return Object.keys(recordOf(object["binaryData"]))
    .filter((key) => Object.hasOwn(data, key))
    .map((key) => invalidField(`data[${key}]`, key, "duplicate of key present in binaryData"));
}

function base64Errors(object: ApiObject, field: string): readonly FieldError[] {
  return Object.entries(recordOf(object[field]))
    .filter(([, value]) => typeof value !== "string" || !BASE64.test(value))
    .map(([key]) => invalidField(`${field}[${key}]`, "", "illegal base64 data"));
}

function sizeErrors(object: ApiObject, fields: readonly string[]): readonly FieldError[] {
  const size = fields
    .flatMap((field) => Object.values(recordOf(object[field])))
    .reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0);
  if (size <= DATA_MAX_BYTES) return [];
  const message = `Too long: may not be more than ${DATA_MAX_BYTES} bytes`;
  return [{ reason: "FieldValueTooLong", field: fields.length > 1 ? "" : "data", message }];
}

function immutableErrors(
  object: ApiObject,
  old: ApiObject | undefined,
  fields: readonly string[],
): readonly FieldError[] {
  if (old?.["immutable"] !== true) return [];
  const frozen = "field is immutable when `immutable` is set";
  return [
    ...(object["immutable"] === true ? [] : [forbiddenField("immutable", frozen)]),
    ...fields
      .filter((field) => !deepEqual(recordOf(object[field]), recordOf(old[field])))
      .map((field) => forbiddenField(field, frozen)),
  ];
}
