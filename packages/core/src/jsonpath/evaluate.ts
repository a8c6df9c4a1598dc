import { isJsonObject } from "../json/index.ts";
import type { JsonValue } from "../json/index.ts";
import { JsonPathError } from "./json-path-error.ts";
import type { JsonPath, PathFilter, PathOperand, PathOperator, PathStep } from "./path.ts";

/** Maximum number of values visited by one evaluation. Several `..` in a path grow exponentially on nested data. */
export const JSON_PATH_VISITS_MAX = 1_000_000;

/**
 * Returns all values that a path selects in `data`, in document order. Missing members, indexes out of range and
 * comparisons of different types select no value. Filters and `[*]` apply to arrays only, a comparison with a missing
 * member is false even for `!=`, and a null member exists (k8s.io/client-go/util/jsonpath). Throws a `JsonPathError` if
 * more than `JSON_PATH_VISITS_MAX` values are visited.
 */
export function evaluateJsonPath(path: JsonPath, data: JsonValue): readonly JsonValue[] {
  return walk(path.steps, [data], { left: JSON_PATH_VISITS_MAX });
}

/** The remaining number of visits. */
interface Budget {
  left: number;
}

function walk(steps: readonly PathStep[], from: readonly JsonValue[], budget: Budget): readonly JsonValue[] {
  let values = from;
  for (const step of steps) {
    values = take(step, values, budget);
    if (values.length === 0) break;
  }
  return values;
}

function take(step: PathStep, values: readonly JsonValue[], budget: Budget): readonly JsonValue[] {
  if (step.kind === "union") return step.steps.flatMap((alternative) => take(alternative, values, budget));
  const found: JsonValue[] = [];
  for (const value of values) {
    const next = takeFrom(step, value, budget);
    spend(budget, next.length + 1);
    for (const each of next) found.push(each);
  }
  return found;
}

type SliceStep = Extract<PathStep, { kind: "slice" }>;
type SingleStep = Exclude<PathStep, { kind: "union" }>;

function takeFrom(step: SingleStep, value: JsonValue, budget: Budget): readonly JsonValue[] {
  switch (step.kind) {
    case "field":
      return member(value, step.name);
    case "key":
      return quotedMember(value, step.name, step.parts);
    case "wildcard":
      return children(value);
    case "index":
      return isArray(value) ? element(value, step.index) : [];
    case "slice":
      return isArray(value) ? slice(value, step) : [];
    case "descend":
      return containers(value, budget);
    case "filter":
      return isArray(value) ? value.filter((item) => holds(step.filter, item, budget)) : [];
    default:
      return step satisfies never;
  }
}

function member(value: JsonValue, name: string): readonly JsonValue[] {
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return [];
  const found = value[name];
  return found === undefined ? [] : [found];
}

function quotedMember(value: JsonValue, name: string, parts: readonly string[]): readonly JsonValue[] {
  const whole = member(value, name);
  if (whole.length > 0) return whole;
  let values: readonly JsonValue[] = [value];
  for (const part of parts) values = values.flatMap((each) => member(each, part));
  return values;
}

function children(value: JsonValue): readonly JsonValue[] {
  if (isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value).filter((each) => each !== undefined) : [];
}

function slice(array: readonly JsonValue[], { start, end, stride }: SliceStep): readonly JsonValue[] {
  const part = array.slice(start, end);
  return stride === 1 ? part : part.filter((_, index) => index % stride === 0);
}

function element(array: readonly JsonValue[], index: number): readonly JsonValue[] {
  const found = array.at(index);
  return found === undefined ? [] : [found];
}

/** Returns the value and its descendants that are non-empty objects or arrays, parents first. */
function containers(value: JsonValue, budget: Budget): readonly JsonValue[] {
  const found: JsonValue[] = [];
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const below = children(next);
    spend(budget, below.length);
    if (below.length > 0) found.push(next);
    for (const child of below.toReversed()) pending.push(child);
  }
  return found;
}

function holds(filter: PathFilter, item: JsonValue, budget: Budget): boolean {
  if (filter.kind === "exists") return walk(filter.steps, [item], budget).length > 0;
  const left = operand(filter.left, item, budget);
  const right = operand(filter.right, item, budget);
  return left !== undefined && right !== undefined && compare(left, filter.operator, right);
}

/** Returns the value of an operand; undefined if its path selects none or several values, which cannot be compared. */
function operand(side: PathOperand, item: JsonValue, budget: Budget): JsonValue | undefined {
  if (side.kind === "literal") return side.value;
  const values = walk(side.steps, [item], budget);
  return values.length === 1 ? values[0] : undefined;
}

function compare(left: JsonValue, operator: PathOperator, right: JsonValue): boolean {
  if (typeof left === "boolean" && typeof right === "boolean") {
    return (operator === "==" && left === right) || (operator === "!=" && left !== right);
  }
  if (typeof left === "string" && typeof right === "string") return isOrdered(left, operator, right);
  return isNumeric(left) && isNumeric(right) && isOrdered(left, operator, right);
}

function isOrdered<T extends string | number | bigint>(left: T, operator: PathOperator, right: T): boolean {
  const equal = !(left < right) && !(left > right); // unlike ===, true for 5 and 5n
  switch (operator) {
    case "==":
      return equal;
    case "!=":
      return !equal;
    case "<":
      return left < right;
    case "<=":
      return left < right || equal;
    case ">":
      return left > right;
    case ">=":
      return left > right || equal;
    default:
      return operator satisfies never;
  }
}

function isNumeric(value: JsonValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** `Array.isArray` for readonly arrays, which TypeScript's own declaration does not narrow. */
function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function spend(budget: Budget, visits: number): void {
  budget.left -= visits;
  if (budget.left < 0) throw new JsonPathError(`the path visits more than ${JSON_PATH_VISITS_MAX} values`);
}
