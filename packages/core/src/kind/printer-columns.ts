import { DeclarationError } from "../error/index.ts";
import { compileJsonPath } from "../jsonpath/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { fieldAt, isPlainPath } from "./field-path.ts";

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly jsonPath: string;
  readonly description?: string;
  /** Columns with a priority above 0 are shown with `-o wide` only. */
  readonly priority?: number;
}

/** Declaration of a column with more than a path. */
export interface ColumnDeclaration {
  readonly path: string;
  readonly description?: string;
  /** Shown with `-o wide` only. */
  readonly wide?: boolean;
}

const READY: PrinterColumn = {
  name: "Ready",
  type: "string",
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
  description: "Whether the latest spec has been reached.",
};
const MESSAGE: PrinterColumn = {
  name: "Message",
  type: "string",
  jsonPath: '.status.conditions[?(@.type=="Ready")].message',
  description: "Why, if not.",
};
const AGE: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

/**
 * Returns the printer columns: Ready, the declared columns with types from the schema, Message and Age. Throws a
 * DeclarationError for a path that is not in the schema.
 */
export function printerColumns(
  schema: StructuralSchema,
  kind: string,
  declared: Readonly<Record<string, string | ColumnDeclaration>>,
): readonly PrinterColumn[] {
  const own = Object.entries(declared).map(([name, output]): PrinterColumn => {
    const { path, description, wide } = typeof output === "string" ? { path: output } : output;
    return {
      name,
      type: columnType(schema, kind, name, path),
      jsonPath: path,
      ...(description === undefined ? {} : { description }),
      ...(wide === true ? { priority: 1 } : {}),
    };
  });
  return [READY, ...own, MESSAGE, AGE];
}

function columnType(schema: StructuralSchema, kind: string, name: string, jsonPath: string): PrinterColumn["type"] {
  compileJsonPath(jsonPath);
  if (!jsonPath.startsWith(".")) {
    throw new DeclarationError(`${kind}: column ${name}: the path must start with a dot: write .${jsonPath}`);
  }
  if (!isPlainPath(jsonPath) || jsonPath.startsWith(".metadata.")) return "string";
  const at = fieldAt(schema, jsonPath);
  if (at === undefined) throw new DeclarationError(`${kind}: column ${name}: no field ${jsonPath} in the schema`);
  if (at.type === "integer" || at.type === "number" || at.type === "boolean") return at.type;
  return at.format === "date-time" ? "date" : "string";
}
