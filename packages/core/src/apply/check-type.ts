import { isJsonObject, ValidationCache } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { formatFieldPath, fieldElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";
import { formatGoSyntax, formatGoValue, formatGoType } from "../error/index.ts";
import { itemElement } from "./list-item.ts";
import { matchShape, fieldType, deduceShape } from "./value-type.ts";
import type { ListType, MapType, ScalarType, ValueType } from "./value-type.ts";

/** A value does not match its type, so the ownership of its fields cannot be computed. */
export class TypeMismatchError extends Error {
  override readonly name: string = "TypeMismatchError";
}

/** Whether keyed lists and sets may have duplicates: stored objects may, applied configurations may not. */
export type Duplicates = "allowed" | "refused";

/** Fields of stored objects that are known to match their type, duplicates allowed. */
const passed = new ValidationCache();

/** Throws a `TypeMismatchError` that names every value that does not match its type. */
export function checkType(type: ValueType, value: JsonValue, duplicates: Duplicates): void {
  if (duplicates === "allowed" && isKnown(type, value)) return;
  const problems = problemsOf(type, value, duplicates);
  const [first] = problems;
  if (first === undefined) return;
  throw new TypeMismatchError(
    problems.length === 1 ? first : ["errors:", ...problems.map((one) => `  ${one}`)].join("\n"),
  );
}

/** Reports whether every field of a value is known to match its type. */
function isKnown({ map }: ValueType, value: JsonValue): boolean {
  if (map === undefined || !isJsonObject(value)) return false;
  return Object.entries(value).every(([name, child]) => {
    const type = fieldType(map, name);
    if (type === undefined) return false;
    if (passed.has(type, child)) return true;
    if (valueProblems(type, child, "allowed").length > 0) return false;
    passed.add(type, child);
    return true;
  });
}

function problemsOf(type: ValueType, value: JsonValue, duplicates: Duplicates): readonly string[] {
  return valueProblems(type, value, duplicates).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
}

interface Problem {
  /** Relative to the checked value. Built on return, because problems are rare. */
  readonly path: string;
  readonly message: string;
}

const NONE: readonly Problem[] = [];

function problem(message: string): readonly Problem[] {
  return [{ path: "", message }];
}

function below(element: PathElement, problems: readonly Problem[]): readonly Problem[] {
  return problems.map(({ path, message }) => ({ path: `${formatFieldPath([element])}${path}`, message }));
}

function valueProblems(type: ValueType, value: JsonValue, duplicates: Duplicates): readonly Problem[] {
  if (value === null) return NONE;
  return matchShape<readonly Problem[]>(type, deduceShape(type, value), {
    map: (map) => mapProblems(map, value, duplicates),
    scalar: (scalar) => scalarProblems(scalar, value),
    list: (list) => listProblems(list, value, duplicates),
  });
}

function mapProblems(map: MapType, value: JsonValue, duplicates: Duplicates): readonly Problem[] {
  if (!isJsonObject(value)) return problem(`expected map, got &{${formatGoValue(value)}}`);
  const problems: Problem[] = [];
  for (const [name, child] of Object.entries(value)) {
    const type = fieldType(map, name);
    const found = type === undefined ? problem("field not declared in schema") : valueProblems(type, child, duplicates);
    if (found.length > 0) problems.push(...below(fieldElement(name), found));
    // The rest of an object with an unknown field is not checked.
    if (type === undefined) break;
  }
  return problems;
}

function listProblems(list: ListType, value: JsonValue, duplicates: Duplicates): readonly Problem[] {
  if (!Array.isArray(value)) return problem(`expected list, got &{${formatGoValue(value)}}`);
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const [index, item] of (value as readonly JsonValue[]).entries()) {
    const element = list.merge === "atomic" ? `i:${index}` : itemElement(list, item);
    if (typeof element !== "string") return [...problems, ...problem(`element ${index}: ${element.problem}`)];
    if (seen.has(element) && duplicates === "refused") {
      problems.push(...problem(`duplicate entries for key ${formatFieldPath([element])}`));
    }
    seen.add(element);
    const found = valueProblems(list.item, item, duplicates);
    if (found.length > 0) problems.push(...below(element, found));
  }
  return problems;
}

function scalarProblems(scalar: ScalarType, value: JsonValue): readonly Problem[] {
  const message = scalarProblem(scalar, value);
  return message === undefined ? NONE : problem(message);
}

function scalarProblem(scalar: ScalarType, value: JsonValue): string | undefined {
  const type = typeof value;
  switch (scalar) {
    case "numeric":
      return type === "number" || type === "bigint"
        ? undefined
        : `expected numeric (int or float), got ${formatGoType(value)}`;
    case "string":
      return type === "string"
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${formatGoSyntax(value)}}`;
    case "boolean":
      return type === "boolean" ? undefined : `expected boolean, got &{${formatGoValue(value)}}`;
    case "untyped":
      return type === "object" ? `expected any scalar, got &{${formatGoValue(value)}}` : undefined;
  }
}
