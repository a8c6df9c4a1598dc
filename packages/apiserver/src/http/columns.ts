import { compilePath, evaluatePath, stringifyJson } from "@levelset/core";
import type { JsonValue, PrinterColumn } from "@levelset/core";
import { recordOf } from "../registry/index.ts";
import type { Resource } from "../registry/index.ts";
import type { ApiObject } from "../store/index.ts";
import { age } from "./age.ts";

/** The head of a column, as a Table carries it. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** A column: its head and how to fill it. */
export interface Column {
  readonly definition: ColumnDefinition;
  cell(object: ApiObject, nowMs: number): JsonValue;
}

const columnsOf = new WeakMap<Resource, readonly Column[]>();

/** The columns of a resource: those of its declaration, or what suits the built-in kind. */
export function tableColumns(resource: Resource): readonly Column[] {
  const known = columnsOf.get(resource);
  if (known !== undefined) return known;
  const columns = [NAME, ...(resource.custom ? declared(resource) : (BUILTIN[resource.id] ?? [AGE]))];
  columnsOf.set(resource, columns);
  return columns;
}

function column(
  name: string,
  type: string,
  description: string,
  cell: Column["cell"],
  extra: { readonly format?: string; readonly priority?: number } = {},
): Column {
  return { definition: { name, type, format: extra.format ?? "", description, priority: extra.priority ?? 0 }, cell };
}

const NAME: Column = column("Name", "string", "Unique within a namespace.", (object) => object.metadata.name, {
  format: "name",
});

const AGE: Column = column("Age", "string", "Time since creation.", (object, nowMs) =>
  age(object.metadata.creationTimestamp, nowMs),
);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const size = (...fields: readonly string[]) => {
  return (object: ApiObject): number =>
    fields.reduce((sum, field) => sum + Object.keys(recordOf(object[field])).length, 0);
};

const BUILTIN: Readonly<Record<string, readonly Column[]>> = {
  namespaces: [
    column("Status", "string", "Active, or Terminating while the content is deleted.", (object) =>
      textOf(recordOf(object["status"])["phase"]),
    ),
    AGE,
  ],
  configmaps: [column("Data", "integer", "How many keys it has.", size("data", "binaryData")), AGE],
  secrets: [
    column("Type", "string", "What the content is for.", (object) => textOf(object["type"])),
    column("Data", "integer", "How many keys it has.", size("data")),
    AGE,
  ],
  "customresourcedefinitions.apiextensions.k8s.io": [
    column("Created At", "date", "When it was created.", (object) => object.metadata.creationTimestamp ?? null),
  ],
};

function declared(resource: Resource): readonly Column[] {
  return resource.columns === undefined ? [AGE] : resource.columns.map(declaredColumn);
}

function declaredColumn(declaration: PrinterColumn): Column {
  const path = compilePath(declaration.jsonPath);
  const {
    name,
    type,
    description = `Custom resource definition column (in JSONPath format): ${declaration.jsonPath}`,
  } = declaration;
  return column(
    name,
    type,
    description,
    (object, nowMs) => {
      // Stored objects came from JSON and are nothing else.
      const [value] = evaluatePath(path, object as unknown as JsonValue);
      return value === undefined ? null : cellOf(type, value, nowMs);
    },
    { priority: declaration.priority ?? 0 },
  );
}

function cellOf(type: PrinterColumn["type"], value: JsonValue, nowMs: number): JsonValue {
  switch (type) {
    case "string":
      if (value === null) return "";
      return typeof value === "string" ? value : stringifyJson(value);
    case "date":
      return typeof value === "string" ? age(value, nowMs) : null;
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : typeof value === "bigint" ? value : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
  }
}
