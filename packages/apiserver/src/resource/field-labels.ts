import type { Scope } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { asRecord } from "./json-access.ts";

/** Returns the text of one field; empty if the object does not have it. */
export type FieldReader = (object: ApiObject) => string;

/** The fields that field selectors of a kind support, by label, such as `status.phase`. */
export interface FieldLabels {
  readonly fields: Readonly<Record<string, FieldReader>>;
  /** Error message for any other field. */
  readonly unknown: (field: string) => string;
}

/** Reads the value at a path as text: strings, numbers and booleans; everything else is empty. */
export function fieldAt(path: string, otherwise = ""): FieldReader {
  const parts = path.split(".");
  return (object) => {
    let value: unknown = object;
    for (const part of parts) value = asRecord(value)[part];
    switch (typeof value) {
      case "string":
        return value;
      case "number":
      case "bigint":
      case "boolean":
        return String(value);
      default:
        return otherwise;
    }
  };
}

/** Returns readers of the values at paths. */
export function fieldsAt(...paths: readonly string[]): Readonly<Record<string, FieldReader>> {
  return Object.fromEntries(paths.map((path) => [path, fieldAt(path)]));
}

/** Fields of cluster-scoped kinds with labels of their own. */
export const NAME_FIELD: Readonly<Record<string, FieldReader>> = fieldsAt("metadata.name");

/** Fields of all other kinds. */
export const NAME_FIELDS: Readonly<Record<string, FieldReader>> = fieldsAt("metadata.name", "metadata.namespace");

/** Labels of kinds that select by name and namespace only. Cluster-scoped kinds have an empty namespace. */
export const METADATA_LABELS: FieldLabels = {
  fields: NAME_FIELDS,
  unknown: (field) =>
    `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
};

/** Returns the labels of a kind with further fields. */
export function fieldLabels(fields: FieldLabels["fields"]): FieldLabels {
  return { fields, unknown: (field) => `field label not supported: ${field}` };
}

/** Returns the labels of a custom resource. */
export function customFieldLabels(scope: Scope, selectableFields: readonly string[]): FieldLabels {
  return fieldLabels({ ...(scope === "Namespaced" ? NAME_FIELDS : NAME_FIELD), ...fieldsAt(...selectableFields) });
}
