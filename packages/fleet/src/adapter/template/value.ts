/**
 * What templates calculate with: the data of JSON as Go sees it. A number of JSON is a float; a whole number is one only where a template
 * writes it or a function makes it. The two are different types that do not compare: this is how the configurations that exist behave.
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

/** A moment, in UTC. */
export class GoTime {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

/** The types by which functions tell values apart. */
export type TemplateKind = "string" | "float" | "int" | "bool" | "nil" | "time" | "list" | "map";

/** The type of a value. */
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

/** Go's name of a value's type, as its messages give it. */
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

/** Whether a value is a list. */
export function isList(value: TemplateValue): value is readonly TemplateValue[] {
  return Array.isArray(value);
}

/** Whether a value is a map. */
export function isMap(value: TemplateValue): value is TemplateMap {
  return kindOfValue(value) === "map";
}

/** Whether a value counts as true: whatever is not empty or zero. */
export function isTrue(value: TemplateValue): boolean {
  if (value === null) return false;
  if (isList(value)) return value.length > 0;
  if (value instanceof GoTime) return true;
  if (typeof value === "object") return Object.keys(value).length > 0;
  return Boolean(value);
}
