import { canonicalJson, compilePath, evaluatePath } from "@levelset/core";
import type { JsonValue, PrinterColumn } from "@levelset/core";
import { age } from "../age.ts";
import { column, NAME, NAME_AND_AGE } from "./printer.ts";
import type { Printer } from "./printer.ts";

/** Shows objects of a declared kind with the columns that the declaration asks for; by name and age where it asks for none. */
export function declaredPrinter(columns: readonly PrinterColumn[] | undefined): Printer {
  if (columns === undefined) return NAME_AND_AGE;
  const paths = columns.map(({ type, jsonPath }) => ({ type, path: compilePath(jsonPath) }));
  return {
    columns: [NAME, ...columns.map(head)],
    cells: (object, nowMs) => [
      object.metadata.name,
      ...paths.map(({ type, path }) => {
        // Stored objects came from JSON and are nothing else.
        const [value] = evaluatePath(path, object as unknown as JsonValue);
        return value === undefined ? null : cellOf(type, value, nowMs);
      }),
    ],
  };
}

function head({
  name,
  type,
  jsonPath,
  description = "",
  priority = 0,
  ...rest
}: PrinterColumn): Printer["columns"][number] {
  const shown =
    description === "" ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description;
  const format = "format" in rest && typeof rest.format === "string" ? rest.format : "";
  return column(name, shown, { type, priority, format });
}

function cellOf(type: PrinterColumn["type"], value: JsonValue, nowMs: number): JsonValue {
  switch (type) {
    case "string":
      if (value === null) return "<no value>";
      return typeof value === "object" ? canonicalJson(value) : String(value);
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
