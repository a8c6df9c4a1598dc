/**
 * Values of templates: JSON data as Go sees it. A JSON number is a float; integers come only from template literals
 * and functions. The two types do not compare, as in Go's text/template.
 */
export type TemplateValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | GoTime
  | readonly TemplateValue[]
  | { readonly [key: string]: TemplateValue };

/** A map of values. */
export type TemplateMap = Readonly<Record<string, TemplateValue>>;

/** A time in UTC. */
export class GoTime {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

/** Types that functions distinguish. */
export type TemplateKind = "string" | "float" | "int" | "bool" | "nil" | "time" | "list" | "map";

/** Returns the type of a value. */
export function kindOfValue(value: TemplateValue): TemplateKind {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return "float";
    case "bigint":
      return "int";
    case "boolean":
      return "bool";
    default:
      if (value === null) return "nil";
      if (value instanceof GoTime) return "time";
      return Array.isArray(value) ? "list" : "map";
  }
}

/** Returns Go's name of a value's type, for messages. */
export function typeName(value: TemplateValue): string {
  return TYPE_NAMES[kindOfValue(value)];
}

const TYPE_NAMES: Readonly<Record<TemplateKind, string>> = {
  string: "string",
  float: "float64",
  int: "int",
  bool: "bool",
  nil: "<nil>",
  time: "time.Time",
  list: "[]interface {}",
  map: "map[string]interface {}",
};

/** Returns whether a value is a list. */
export function isList(value: TemplateValue): value is readonly TemplateValue[] {
  return Array.isArray(value);
}

/** Returns whether a value is a map. */
export function isMap(value: TemplateValue): value is TemplateMap {
  return kindOfValue(value) === "map";
}

/** Returns whether a value is truthy: neither empty nor zero. */
export function isTrue(value: TemplateValue): boolean {
  if (value === null) return false;
  if (isList(value)) return value.length > 0;
  if (value instanceof GoTime) return true;
  if (typeof value === "object") return Object.keys(value).length > 0;
  return Boolean(value);
}
