import { DeclarationError } from "../error/index.ts";
import { compilePath } from "../jsonpath/index.ts";
import type { StructuralSchema } from "../schema/index.ts";

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly jsonPath: string;
  readonly description?: string;
  /** Above 0: only with `-o wide`. */
  readonly priority?: number;
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
  declared: Readonly<Record<string, string>>,
): readonly PrinterColumn[] {
  const own = Object.entries(declared).map(([name, jsonPath]) => ({
    name,
    type: columnType(schema, kind, name, jsonPath),
    jsonPath,
  }));
  return [READY, ...own, MESSAGE, AGE];
}

function columnType(schema: StructuralSchema, kind: string, name: string, jsonPath: string): PrinterColumn["type"] {
  compilePath(jsonPath);
  if (!jsonPath.startsWith(".")) {
    throw new DeclarationError(`${kind}: column ${name}: a path starts with a dot: write .${jsonPath}`);
  }
  const plain = /^(\.[A-Za-z_]\w*)+$/u.test(jsonPath);
  if (!plain || jsonPath.startsWith(".metadata.")) return "string";
  let at: StructuralSchema | undefined = schema;
  for (const part of jsonPath.slice(1).split(".")) {
    at = Object.hasOwn(at.properties ?? {}, part) ? at.properties?.[part] : at.additionalProperties;
    if (at === undefined) throw new DeclarationError(`${kind}: column ${name}: there is no field ${jsonPath}`);
  }
  if (at.type === "integer" || at.type === "number" || at.type === "boolean") return at.type;
  return at.format === "date-time" ? "date" : "string";
}
