import { deepEqual, isJsonObject, JsonError, parseJson } from "@levelset/core";
import type { FieldError } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import type { UnvalidatedObject } from "./unvalidated-object.ts";
import { forbiddenField, invalidField, requiredField } from "./field-errors.ts";
import { configKeyProblems } from "./name-validation.ts";
import type { KindStrategy } from "./strategy.ts";
import { asRecord } from "./json-access.ts";

const DATA_MAX_BYTES = 1024 * 1024;

/** Strategy of ConfigMaps: validates keys, size and immutability. */
export const configMapStrategy: KindStrategy = {
  validate: (object, old) => [
    ...keyErrors(object, ["data", "binaryData"]),
    ...overlapErrors(object),
    ...sizeErrors(object, ["data", "binaryData"]),
    ...immutableErrors(object, old, ["data", "binaryData"]),
  ],
};

/** Strategy of Secrets: converts stringData to data; the type is immutable. */
export const secretStrategy: KindStrategy = {
  defaults: (draft) => ({ ...foldStringData(draft), type: draft["type"] ?? "Opaque" }),
  validate: (object, old) => [
    ...keyErrors(object, ["data"]),
    ...sizeErrors(object, ["data"]),
    ...typeErrors(object),
    ...(old !== undefined && object["type"] !== old["type"]
      ? [invalidField("type", object["type"], "field is immutable")]
      : []),
    ...immutableErrors(object, old, ["data"]),
  ],
};

function foldStringData(draft: UnvalidatedObject): UnvalidatedObject {
  const { stringData, ...rest } = draft;
  const given = Object.entries(asRecord(stringData));
  if (given.length === 0) return rest;
  const encoded = given.map(([key, value]) => [key, Buffer.from(String(value), "utf8").toString("base64")]);
  return { ...rest, data: { ...asRecord(rest["data"]), ...Object.fromEntries(encoded) } };
}

function keyErrors(object: ApiObject, fields: readonly string[]): readonly FieldError[] {
  return fields.flatMap((field) =>
    Object.keys(asRecord(object[field])).flatMap((key) =>
      configKeyProblems(key).map((problem) => invalidField(`${field}[${key}]`, key, problem)),
    ),
  );
}

/** Required keys by secret type; `kubernetes.io/basic-auth` needs only one of them. */
const TYPE_KEYS: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/basic-auth": ["username", "password"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};
const ACCOUNT = "kubernetes.io/service-account.name";

function typeErrors(object: ApiObject): readonly FieldError[] {
  const type = String(object["type"]);
  const data = asRecord(object["data"]);
  if (type === "kubernetes.io/service-account-token") {
    const named = (object.metadata.annotations?.[ACCOUNT] ?? "") !== "";
    return named ? [] : [requiredField(`metadata.annotations[${ACCOUNT}]`)];
  }
  const keys = Object.hasOwn(TYPE_KEYS, type) ? (TYPE_KEYS[type] ?? []) : [];
  const missing = keys.filter((key) => !Object.hasOwn(data, key) || (type.endsWith("/ssh-auth") && data[key] === ""));
  if (type.endsWith("/basic-auth") && missing.length < keys.length) return [];
  const unreadable = type.includes("/docker") && missing.length === 0 ? keys.filter((key) => !isJson(data[key])) : [];
  return [
    ...missing.map((key) => requiredField(`data[${key}]`)),
    ...unreadable.map((key) => invalidField(`data[${key}]`, "<secret contents redacted>", "must be a JSON object")),
  ];
}

function isJson(encoded: unknown): boolean {
  try {
    return isJsonObject(parseJson(Buffer.from(String(encoded), "base64").toString("utf8")));
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}

function overlapErrors(object: ApiObject): readonly FieldError[] {
  const data = asRecord(object["data"]);
  return Object.keys(asRecord(object["binaryData"]))
    .filter((key) => Object.hasOwn(data, key))
    .map((key) => invalidField(`data[${key}]`, key, "duplicate of key present in binaryData"));
}

function sizeErrors(object: ApiObject, fields: readonly string[]): readonly FieldError[] {
  const size = fields
    .flatMap((field) => Object.values(asRecord(object[field])))
    .reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0);
  if (size <= DATA_MAX_BYTES) return [];
  const message = `Too long: may not be more than ${DATA_MAX_BYTES} bytes`;
  return [{ reason: "FieldValueTooLong", field: fields.length > 1 ? "[]" : "data", message }];
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
      .filter((field) => !deepEqual(asRecord(object[field]), asRecord(old[field])))
      .map((field) => forbiddenField(field, frozen)),
  ];
}
