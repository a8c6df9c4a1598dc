import { CelError, compare, equal, isList, isMap, mapGet, mapKey, noOverload, typeName } from "../value/index.ts";
import type { CelList, CelOutcome, CelValue } from "../value/index.ts";
import type { ExecutionFrame, PlannedExpr, EvalFunction } from "./frame.ts";

/** `==` or, with `expected` false, `!=`. */
export function planEqual(left: PlannedExpr, right: PlannedExpr, expected: boolean): EvalFunction {
  const [leftRun, rightRun] = [left.run, right.run];
  if (typeof right.constant === "string") return equalText(leftRun, right.constant, expected);
  if (typeof left.constant === "string") return equalText(rightRun, left.constant, expected);
  return (frame) => {
    const a = leftRun(frame);
    const b = rightRun(frame);
    frame.spent += 1;
    if (typeof a === "number" && typeof b === "number") return (a === b) === expected;
    return slowEqual(a, b, expected, frame);
  };
}

function equalText(run: EvalFunction, text: string, expected: boolean): EvalFunction {
  const cost = 1 + Math.floor(text.length * 0.1);
  return (frame) => {
    const value = run(frame);
    frame.spent += cost;
    if (typeof value === "string") return (value === text) === expected;
    return value instanceof CelError ? value : !expected;
  };
}

function slowEqual(a: CelOutcome, b: CelOutcome, expected: boolean, frame: ExecutionFrame): CelOutcome {
  if (a instanceof CelError) return a;
  if (b instanceof CelError) return b;
  return equal(a, b, frame) === expected;
}

const ORDERS: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ["_<_", (order: number) => order < 0],
  ["_<=_", (order: number) => order <= 0],
  ["_>_", (order: number) => order > 0],
  ["_>=_", (order: number) => order >= 0],
]);

/** `< <= > >=`; undefined for other operators. */
export function planOrder(name: string, left: PlannedExpr, right: PlannedExpr, at: number): EvalFunction | undefined {
  const holds = ORDERS.get(name);
  if (holds === undefined) return undefined;
  const [leftRun, rightRun] = [left.run, right.run];
  return (frame) => {
    const a = leftRun(frame);
    const b = rightRun(frame);
    frame.spent += 1;
    if (typeof a === "number" && typeof b === "number") return holds(a - b); // both are safe, so the sign is exact
    if (a instanceof CelError) return a;
    if (b instanceof CelError) return b;
    if (typeof a === "string" && typeof b === "string") frame.spend(Math.min(a.length, b.length) * 0.1);
    const order = compare(a, b);
    return order === undefined ? noOverload(name, [typeName(a), typeName(b)]).withOffset(at) : holds(order);
  };
}

/** `x in y`. A list of constant strings is searched as a set. */
export function planIn(left: PlannedExpr, right: PlannedExpr, at: number): EvalFunction {
  const [leftRun, rightRun] = [left.run, right.run];
  const texts = constantTexts(right.constant);
  return (frame) => {
    const item = leftRun(frame);
    frame.spent += 1;
    if (texts !== undefined && typeof item === "string") return texts.has(item);
    const container = rightRun(frame);
    if (item instanceof CelError) return item;
    if (container instanceof CelError) return container;
    if (isList(container)) return contains(container, item, frame);
    if (!isMap(container)) return noOverload("@in", [typeName(item), typeName(container)]).withOffset(at);
    const key = mapKey(item);
    return key !== undefined && mapGet(container, key) !== undefined;
  };
}

function constantTexts(value: CelValue | undefined): ReadonlySet<string> | undefined {
  if (!isList(value) || !value.every((item) => typeof item === "string")) return undefined;
  return new Set(value);
}

function contains(list: CelList, item: CelValue, frame: ExecutionFrame): boolean {
  return list.some((each) => {
    frame.spend(1);
    return equal(each, item, frame);
  });
}
