import { canonicalJson } from "@levelset/core/internal";
import { compileJsonPath, evaluateJsonPath } from "@levelset/core/schema";
import type { JsonPath, PrinterColumn } from "@levelset/core/schema";
import type { JsonValue } from "@levelset/core";
import { formatAge } from "./age.ts";
import { tableColumn, NAME_COLUMN, NAME_AND_AGE_PRINTER } from "./printer.ts";
import type { Printer } from "./printer.ts";

/** Prints custom resources with the columns of the CRD; with name and age if it declares none. */
export function customResourcePrinter(columns: readonly PrinterColumn[]): Printer {
  if (columns.length === 0) return NAME_AND_AGE_PRINTER;
  // Compiled when the first row is printed: a CRD may contain paths that do not compile.
  let compiled: readonly { readonly type: PrinterColumn["type"]; readonly path: JsonPath }[] | undefined;
  return {
    columns: [NAME_COLUMN, ...columns.map(head)],
    cells: (object, nowMs) => {
      compiled ??= columns.map(({ type, jsonPath }) => ({ type, path: compileJsonPath(jsonPath) }));
      const cells = compiled.map(({ type, path }) => {
        // Stored objects are parsed JSON.
        const [value] = evaluateJsonPath(path, object as unknown as JsonValue);
        return value === undefined ? null : cellOf(type, value, nowMs);
      });
      return [object.metadata.name, ...cells];
    },
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
  return tableColumn(name, shown, { type, priority, format });
}

function cellOf(type: PrinterColumn["type"], value: JsonValue, nowMs: number): JsonValue {
  switch (type) {
    case "string":
      if (value === null) return "<no value>";
      return typeof value === "object" ? canonicalJson(value) : String(value);
    case "date":
      return typeof value === "string" ? formatAge(value, nowMs) : null;
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : typeof value === "bigint" ? value : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
  }
}
