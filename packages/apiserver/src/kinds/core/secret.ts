import { isJsonObject, Secret } from "@levelset/core";
import { JsonError, parseJson } from "@levelset/core/internal";
import type { FieldError } from "@levelset/core/schema";
import type { ApiObject } from "../../store/index.ts";
import type { UnvalidatedObject, KindStrategy, Printer, Resource } from "../../resource/index.ts";
import {
  invalidField,
  requiredField,
  asRecord,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  builtinResource,
  fieldLabels,
  fieldsAt,
  NAME_FIELDS,
} from "../../resource/index.ts";
import { keyErrors, sizeErrors, immutableErrors, size } from "./config-data.ts";

/** Strategy of Secrets: converts stringData to data; the type is immutable. */
const secretStrategy: KindStrategy = {
  defaults: (draft) => ({ ...foldStringData(draft), type: draft["type"] ?? "Opaque" }),
  validate: (object, old) => [
    ...keyErrors(object, ["data"]),
    ...sizeErrors(object, { data: "base64" }),
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

const secretPrinter: Printer = printer<typeof Secret>(
  [NAME_COLUMN, tableColumn("Type", "Type of the content."), tableColumn("Data", "Number of keys."), AGE_COLUMN],
  (secret) => [secret.type ?? "", size(secret.data)],
);

/** Secrets. */
export const secretResource: Resource = builtinResource({
  kind: Secret,
  strategy: secretStrategy,
  printer: secretPrinter,
  fieldLabels: fieldLabels({ ...NAME_FIELDS, ...fieldsAt("type") }),
});
