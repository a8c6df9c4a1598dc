import { DeclarationError } from "../error/index.ts";
import { compilePath } from "../jsonpath/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { fieldAt, isPlainPath } from "./field-path.ts";

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly jsonPath: string;
  readonly description?: string;
  /** Above 0: only with `-o wide`. */
  readonly priority?: number;
}

/** A declared column, where its path alone does not say enough. */
export interface ColumnDeclaration {
  readonly path: string;
  readonly description?: string;
  /** Only with `-o wide`. */
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

/** Ready, the declared columns with their types taken from the schema, the reason in words, and the age. */
export function printerColumns(
  schema: StructuralSchema,
  kind: string,
  declared: Readonly<Record<string, string | ColumnDeclaration>>,
): readonly PrinterColumn[] {
  const own = Object.entries(declared).map(([name, said]): PrinterColumn => {
    const { path, description, wide } = typeof said === "string" ? { path: said } : said;
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
  compilePath(jsonPath);
  if (!jsonPath.startsWith(".")) {
    throw new DeclarationError(`${kind}: column ${name}: a path starts with a dot: write .${jsonPath}`);
  }
  if (!isPlainPath(jsonPath) || jsonPath.startsWith(".metadata.")) return "string";
  const at = fieldAt(schema, jsonPath);
  if (at === undefined) throw new DeclarationError(`${kind}: column ${name}: there is no field ${jsonPath}`);
  if (at.type === "integer" || at.type === "number" || at.type === "boolean") return at.type;
  return at.format === "date-time" ? "date" : "string";
}
