import { callCost } from "../declare/index.ts";
import type { Implementation, Overload } from "../declare/index.ts";
import { CelError, isList, isMap, mapSize, noOverload, typeName } from "../value/index.ts";
import type { CelOutcome, CelValue } from "../value/index.ts";
import { attachOffset } from "./access.ts";
import type { ExecutionFrame, PlannedExpr, EvalFunction } from "./frame.ts";

/** An overload with an implementation. */
interface Callable {
  readonly overload: Overload;
  readonly call: Implementation;
  readonly weight: number | undefined;
}

/**
 * Calls the first overload that accepts the arguments. Types are checked again at run time, because they may be dyn and
 * because unchecked expressions run too.
 */
export function planCall(
  name: string,
  overloads: readonly Overload[],
  args: readonly PlannedExpr[],
  at: number,
): EvalFunction {
  const constants = args.map((arg) => arg.constant);
  const callables = overloads.flatMap((overload): readonly Callable[] => {
    if (overload.parameters.length !== args.length) return [];
    const special = overload.specialize?.(constants);
    const call = special?.call ?? overload.call ?? (overload.callWithCost === undefined ? undefined : unmetered);
    return call === undefined ? [] : [{ overload, call, weight: special?.weight }];
  });
  const runs = args.map(({ run }) => run);
  const [only] = callables;
  const [first] = runs;
  if (only !== undefined && callables.length === 1 && first !== undefined && runs.length === 1) {
    return (frame) => {
      const value = first(frame);
      if (value instanceof CelError) return value;
      return invoke(name, callables, [value], frame, at);
    };
  }
  return (frame) => {
    const values: CelValue[] = [];
    for (const run of runs) {
      const value = run(frame);
      if (value instanceof CelError) return value;
      values.push(value);
    }
    return invoke(name, callables, values, frame, at);
  };
}

/** Placeholder for functions with only a metered implementation; never called. */
const unmetered: Implementation = () => new CelError("the function has no unmetered form");

function invoke(
  name: string,
  callables: readonly Callable[],
  values: readonly CelValue[],
  frame: ExecutionFrame,
  at: number,
): CelOutcome {
  for (const { overload, call, weight } of callables) {
    if (!admits(overload, values)) continue;
    frame.spend(overload.cost === "one" ? 1 : callCost(overload.cost, sizesOf(values, weight)));
    const result = overload.callWithCost === undefined ? call(...values) : overload.callWithCost(frame, ...values);
    if (overload.cost !== "one") frame.spend(resultCost(result));
    return attachOffset(result, at);
  }
  return noOverload(name, values.map(typeName)).withOffset(at);
}

function resultCost(result: CelOutcome): number {
  if (typeof result === "string") return result.length * 0.1;
  return isList(result) ? result.length : 0;
}

function admits({ parameters }: Overload, values: readonly CelValue[]): boolean {
  for (let index = 0; index < parameters.length; index += 1) {
    const value = values[index];
    if (value === undefined || parameters[index]?.admits(value) !== true) return false;
  }
  return true;
}

function sizesOf(values: readonly CelValue[], weight: number | undefined): readonly number[] {
  return values.map((value, index) => (index === 1 && weight !== undefined ? weight : sizeOf(value)));
}

/** Returns the number of characters, bytes, elements or entries; 0 for a scalar. */
function sizeOf(value: CelValue): number {
  if (typeof value === "string" || value instanceof Uint8Array || isList(value)) return value.length;
  return typeof value === "object" && value !== null && isMap(value) ? mapSize(value) : 0;
}
