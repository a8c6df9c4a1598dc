import * as core from "@levelset/core";
import { formatApiVersion } from "@levelset/core/internal";
import type { Kind } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core/schema";
import { describe, expect, test } from "vitest";
import { messageOf } from "./kind-messages.ts";
import type { MessageField, MessageTable } from "./message-table.ts";

const kinds = Object.values(core).filter(
  (value): value is Kind => typeof value === "object" && "kind" in value && "plural" in value && "schema" in value,
);
const tables = kinds.flatMap((kind) => {
  const table = messageOf(formatApiVersion(kind.group, kind.version), kind.kind);
  return table === undefined ? [] : [{ name: kind.kind, kind, table }];
});

/** Fields that are in the schemas of core but not in the message tables. */
const ONLY_IN_SCHEMA: ReadonlySet<string> = new Set(["managedFields"]);
/** Fields that are in the message tables but not in the schemas of core. */
const ONLY_IN_TABLE: Readonly<Record<string, readonly string[]>> = {
  // Definitions are validated by code, not by this schema.
  CustomResourceDefinition: ["no schema for .status.conditions.observedGeneration"],
};
/** Fields of JSON that the wire format has only in the envelope. */
const ONLY_IN_JSON: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);
const OBJECTS: ReadonlySet<string> = new Set(["", ".spec.volumeClaimTemplates", ".deleteOptions"]);

test("every built-in kind can be decoded", () => {
  expect(tables.length).toBeGreaterThanOrEqual(26);
  expect(tables.length).toBe(kinds.length);
});

describe("the table and the schema have the same fields:", () => {
  test.each(tables)("$name", ({ name, kind, table }) => {
    const body = new Map([...table].filter(([, field]) => field.shape === "inline" || field.name !== "metadata"));
    const differences = compare(body, kind.schema, "");
    expect(differences.filter((line) => ONLY_IN_TABLE[name]?.includes(line) !== true)).toEqual([]);
  });
});

function compare(table: MessageTable, schema: StructuralSchema, path: string): readonly string[] {
  if (schema["x-kubernetes-preserve-unknown-fields"] === true) return [];
  const { properties = {} } = schema;
  const fields = membersOf(table);
  const names = new Set(fields.map(({ name }) => name));
  const ignored = OBJECTS.has(path) ? ONLY_IN_JSON : ONLY_IN_SCHEMA;
  const missing = Object.keys(properties).filter((name) => !names.has(name) && !ignored.has(name));
  return [
    ...missing.map((name) => `no number for ${path}.${name}`),
    ...fields.flatMap((field) => {
      const property = Object.hasOwn(properties, field.name) ? properties[field.name] : undefined;
      if (property === undefined) return [`no schema for ${path}.${field.name}`];
      return compareValue(field, property, `${path}.${field.name}`);
    }),
  ];
}

function compareValue(field: Named, schema: StructuralSchema, path: string): readonly string[] {
  const inner = field.shape === "list" ? schema.items : field.shape === "map" ? schema.additionalProperties : schema;
  if (typeof inner !== "object")
    return schema["x-kubernetes-preserve-unknown-fields"] === true ? [] : [`shape of ${path}`];
  const type = typeof field.type === "object" && "form" in field.type ? field.type.form : field.type;
  if (typeof type === "object") return compare(type, inner, path);
  // A value of any type, such as the data of a ControllerRevision.
  if (type === "value") return [];
  const found = inner["x-kubernetes-int-or-string"] === true ? "int-or-string" : inner.type;
  return found === JSON_TYPES[type] ? [] : [`${path} is ${found}, not ${type}`];
}

const JSON_TYPES = {
  string: "string",
  bytes: "string",
  json: undefined,
  bool: "boolean",
  int32: "integer",
  int64: "integer",
  double: "number",
  time: "string",
  microTime: "string",
  quantity: "int-or-string",
  intOrString: "int-or-string",
} as const;

type Named = Exclude<MessageField, { readonly shape: "inline" }>;

/** The fields of a message with those that JSON has in the same object. */
function membersOf(table: MessageTable): readonly Named[] {
  return [...table.values()].flatMap((field) => (field.shape === "inline" ? membersOf(field.type) : [field]));
}
