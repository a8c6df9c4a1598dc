import {
  CelDouble,
  CelDuration,
  CelError,
  CelTimestamp,
  CelUint,
  addInt,
  checkedInt,
  checkedUint,
  divideInt,
  celError,
  isInt,
  isList,
  multiplyInt,
  noOverload,
  remainderInt,
  subtractInt,
  typeName,
} from "../value/index.ts";
import type { CelInt, CelOutcome, CelValue } from "../value/index.ts";
import { attachOffset } from "./access.ts";
import type { ExecutionFrame, PlannedExpr, EvalFunction } from "./frame.ts";

/** A binary operator on values that are not errors. Returns undefined if it is not defined for them. */
type Operation = (a: CelValue, b: CelValue, frame: ExecutionFrame) => CelOutcome | undefined;

const ints =
  (
    int: (a: CelInt, b: CelInt) => CelInt | CelError,
    uint: (a: bigint, b: bigint) => CelOutcome,
    double: ((a: number, b: number) => number) | undefined,
  ): Operation =>
  (a, b) => {
    if (isInt(a)) return isInt(b) ? int(a, b) : undefined;
    if (a instanceof CelUint) return b instanceof CelUint ? uint(a.value, b.value) : undefined;
    if (double === undefined || !(a instanceof CelDouble) || !(b instanceof CelDouble)) return undefined;
    return new CelDouble(double(a.value, b.value));
  };

const addNumbers = ints(
  addInt,
  (a, b) => checkedUint(a + b),
  (a, b) => a + b,
);
const subtractNumbers = ints(
  subtractInt,
  (a, b) => checkedUint(a - b),
  (a, b) => a - b,
);

const add: Operation = (a, b, frame) => {
  if (typeof a === "string") return typeof b === "string" ? joined(a, b, frame) : undefined;
  if (isList(a)) {
    if (!isList(b)) return undefined;
    frame.spend(a.length + b.length); // copies both; Go creates a view
    return [...a, ...b];
  }
  if (a instanceof Uint8Array) {
    if (!(b instanceof Uint8Array)) return undefined;
    frame.spend((a.length + b.length) * 0.1);
    const both = new Uint8Array(a.length + b.length);
    both.set(a);
    both.set(b, a.length);
    return both;
  }
  if (a instanceof CelTimestamp) return b instanceof CelDuration ? shift(a, b.nanos) : undefined;
  if (!(a instanceof CelDuration)) return addNumbers(a, b, frame);
  if (b instanceof CelTimestamp) return shift(b, a.nanos);
  return b instanceof CelDuration ? CelDuration.of(a.nanos + b.nanos) : undefined;
};

function joined(a: string, b: string, frame: ExecutionFrame): string {
  frame.spend((a.length + b.length) * 0.1);
  return a + b;
}

function shift(time: CelTimestamp, nanos: bigint): CelOutcome {
  return CelTimestamp.ofNanos(time.totalNanos + nanos);
}

const subtract: Operation = (a, b, frame) => {
  if (a instanceof CelTimestamp) {
    if (b instanceof CelTimestamp) return CelDuration.of(a.totalNanos - b.totalNanos);
    return b instanceof CelDuration ? shift(a, -b.nanos) : undefined;
  }
  if (!(a instanceof CelDuration)) return subtractNumbers(a, b, frame);
  return b instanceof CelDuration ? CelDuration.of(a.nanos - b.nanos) : undefined;
};

const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["_+_", add],
  ["_-_", subtract],
  [
    "_*_",
    ints(
      multiplyInt,
      (a, b) => checkedUint(a * b),
      (a, b) => a * b,
    ),
  ],
  [
    "_/_",
    ints(
      divideInt,
      (a, b) => (b === 0n ? celError("division by zero") : checkedUint(a / b)),
      (a, b) => a / b,
    ),
  ],
  ["_%_", ints(remainderInt, (a, b) => (b === 0n ? celError("modulus by zero") : checkedUint(a % b)), undefined)],
]);

/** `+ - * / %`; undefined for other operators. */
export function planArithmetic(
  name: string,
  left: PlannedExpr,
  right: PlannedExpr,
  at: number,
): EvalFunction | undefined {
  const operation = OPERATIONS.get(name);
  if (operation === undefined) return undefined;
  const [leftRun, rightRun] = [left.run, right.run];
  return (frame) => {
    const a = leftRun(frame);
    if (a instanceof CelError) return a;
    const b = rightRun(frame);
    if (b instanceof CelError) return b;
    frame.spent += 1;
    const result = operation(a, b, frame);
    return attachOffset(result === undefined ? noOverload(name, [typeName(a), typeName(b)]) : result, at);
  };
}

/** `-x`. */
export function planNegate(operand: PlannedExpr, at: number): EvalFunction {
  const { run } = operand;
  return (frame) => {
    const value = run(frame);
    frame.spent += 1;
    if (value instanceof CelError) return value;
    if (isInt(value)) return attachOffset(checkedInt(-BigInt(value)), at);
    if (value instanceof CelDouble) return new CelDouble(-value.value);
    return noOverload("-_", [typeName(value)]).withOffset(at);
  };
}
