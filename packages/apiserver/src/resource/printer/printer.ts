import type { JsonValue, Kind, ObjectOf } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import { formatAge } from "./age.ts";

/** Definition of a table column. */
export interface TableColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, 1 in wide output only (`-o wide`). */
  readonly priority: number;
}

/** Condition of a table row, such as Completed. */
export interface TableRowCondition {
  readonly type: "Completed";
  readonly status: "True";
  readonly reason: string;
  readonly message: string;
}

/** Converts objects of one kind to table rows. */
export interface Printer {
  readonly columns: readonly TableColumnDefinition[];
  /** One cell for each column. */
  cells(object: ApiObject, nowMs: number): readonly JsonValue[];
  conditions?(object: ApiObject): readonly TableRowCondition[];
}

/** Returns a column of type `string` that is always shown, unless overridden. */
export function tableColumn(
  name: string,
  description: string,
  extra: Partial<Omit<TableColumnDefinition, "name" | "description">> = {},
): TableColumnDefinition {
  return { name, type: "string", format: "", description, priority: 0, ...extra };
}

/** Returns a column of type integer. */
export function integerColumn(name: string, description: string): TableColumnDefinition {
  return tableColumn(name, description, { type: "integer" });
}

/** Returns a column of the wide output. */
export function wideColumn(name: string, description: string): TableColumnDefinition {
  return tableColumn(name, description, { priority: 1 });
}

export const NAME_COLUMN: TableColumnDefinition = tableColumn("Name", "Name, unique in the namespace.", {
  format: "name",
});

/** The name column of kinds that show more than the name. */
export const MARKED_NAME_COLUMN: TableColumnDefinition = { ...NAME_COLUMN };
export const AGE_COLUMN: TableColumnDefinition = tableColumn("Age", "Time since creation.");

/** Columns for the containers of a pod template. */
export const CONTAINER_COLUMNS: readonly TableColumnDefinition[] = [
  wideColumn("Containers", "Names of the containers."),
  wideColumn("Images", "Images of the containers."),
];

function ageCell(object: ApiObject, nowMs: number): string {
  return formatAge(object.metadata.creationTimestamp, nowMs);
}

/**
 * Returns a printer of a built-in kind, with objects typed by its schema. `cells` returns the cells of all columns but
 * `NAME_COLUMN` and `AGE_COLUMN`, in order.
 */
export function printer<K extends Kind>(
  columns: readonly TableColumnDefinition[],
  cells: (object: ObjectOf<K>, nowMs: number) => readonly JsonValue[],
): Printer {
  return {
    columns,
    cells: (object, nowMs) => {
      // The registry stores only objects that match the schema of the kind.
      const others = [...cells(object, nowMs)];
      const row = columns.flatMap((column) => {
        if (column === NAME_COLUMN) return [object.metadata.name];
        return column === AGE_COLUMN ? [ageCell(object, nowMs)] : others.splice(0, 1);
      });
      return [...row, ...others];
    },
  };
}

/** Prints name and age only. */
export const NAME_AND_AGE_PRINTER: Printer = {
  columns: [NAME_COLUMN, AGE_COLUMN],
  cells: (object, nowMs) => [object.metadata.name, ageCell(object, nowMs)],
};

/** Prints kinds without specific columns. */
export const DEFAULT_PRINTER: Printer = {
  columns: [NAME_COLUMN, tableColumn("Created At", "When it was created.", { type: "date" })],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp ?? "0001-01-01T00:00:00Z"],
};

export const booleanColumn = (name: string, description: string): TableColumnDefinition =>
  tableColumn(name, description, { type: "boolean" });
