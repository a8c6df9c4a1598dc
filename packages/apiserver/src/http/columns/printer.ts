import type { JsonValue, Kind, ObjectOf } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import { age } from "../age.ts";

/** The head of a column, as a Table carries it. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, 1 only where there is room (`-o wide`). */
  readonly priority: number;
}

/** What a row says about its object besides the cells. */
export interface RowCondition {
  readonly type: "Completed";
  readonly status: "True";
  readonly reason: string;
  readonly message: string;
}

/** How the objects of one kind are shown in a Table. */
export interface Printer {
  readonly columns: readonly ColumnDefinition[];
  /** One cell for each column. */
  cells(object: ApiObject, nowMs: number): readonly JsonValue[];
  conditions?(object: ApiObject): readonly RowCondition[];
}

/** A column. Its type is `string` and its place in the narrow view, unless told otherwise. */
export function column(
  name: string,
  description: string,
  extra: Partial<Omit<ColumnDefinition, "name" | "description">> = {},
): ColumnDefinition {
  return { name, type: "string", format: "", description, priority: 0, ...extra };
}

/** A column of whole numbers. */
export function counter(name: string, description: string): ColumnDefinition {
  return column(name, description, { type: "integer" });
}

/** A column of the wide view. */
export function wide(name: string, description: string): ColumnDefinition {
  return column(name, description, { priority: 1 });
}

export const NAME: ColumnDefinition = column("Name", "Its name, unique within its place.", { format: "name" });
export const AGE: ColumnDefinition = column("Age", "How long ago it was created.");

/** Columns that show the containers of a pod template. */
export const CONTAINERS: readonly ColumnDefinition[] = [
  wide("Containers", "Names of the containers."),
  wide("Images", "Images of the containers."),
];

/** The cell below `AGE`. */
export function ageOf(object: { readonly metadata: { readonly creationTimestamp?: unknown } }, nowMs: number): string {
  return age(object.metadata.creationTimestamp, nowMs);
}

/** Shows objects of a built-in kind, with the types that their schema gives them. */
export function printer<K extends Kind>(
  columns: readonly ColumnDefinition[],
  cells: (object: ObjectOf<K>, nowMs: number) => readonly JsonValue[],
): Printer {
  // The registry lets nothing into the store that does not fit the schema of its kind.
  return { columns, cells: (object, nowMs) => cells(object, nowMs) };
}

/** Shows a kind by name and age alone. */
export const NAME_AND_AGE: Printer = {
  columns: [NAME, AGE],
  cells: (object, nowMs) => [object.metadata.name, ageOf(object, nowMs)],
};

/** Shows a kind that nobody thought about columns for. */
export const NAME_AND_CREATION: Printer = {
  columns: [NAME, column("Created At", "When it was created.", { type: "date" })],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp ?? "0001-01-01T00:00:00Z"],
};
