import { callCost } from "../declare/index.ts";
import type { Implementation, Overload } from "../declare/index.ts";
import { CelFault, isList, isMap, mapSize, noOverload, typeName } from "../value/index.ts";
import type { CelOutcome, CelValue } from "../value/index.ts";
import { locate } from "./access.ts";
import type { Frame, Planned, Run } from "./frame.ts";

/** A signature that has something to run. */
interface Callable {
  readonly overload: Overload;
  readonly call: Implementation;
  readonly weight: number | undefined;
}

/**
 * A call of a function with one of these signatures: the first that admits the arguments. Types are looked at again when it
 * runs, because they may be dyn, and because unchecked expressions run too.
 */
export function planCall(name: string, overloads: readonly Overload[], args: readonly Planned[], at: number): Run {
  const constants = args.map((arg) => arg.constant);
  const callables = overloads.flatMap((overload): readonly Callable[] => {
    if (overload.parameters.length !== args.length) return [];
    const special = overload.specialize?.(constants);
    const call = special?.call ?? overload.call ?? (overload.metered === undefined ? undefined : unmetered);
    return call === undefined ? [] : [{ overload, call, weight: special?.weight }];
  });
  const runs = args.map(({ run }) => run);
  const [only] = callables;
  const [first] = runs;
  if (only !== undefined && callables.length === 1 && first !== undefined && runs.length === 1) {
    return (frame) => {
      const value = first(frame);
      if (value instanceof CelFault) return value;
      return invoke(name, callables, [value], frame, at);
    };
  }
  return (frame) => {
    const values: CelValue[] = [];
    for (const run of runs) {
      const value = run(frame);
      if (value instanceof CelFault) return value;
      values.push(value);
    }
    return invoke(name, callables, values, frame, at);
  };
}

/** Stands where only the metered form of a function exists; never called. */
const unmetered: Implementation = () => new CelFault("the function has no unmetered form");

function invoke(
  name: string,
  callables: readonly Callable[],
  values: readonly CelValue[],
  frame: Frame,
  at: number,
): CelOutcome {
  for (const { overload, call, weight } of callables) {
    if (!admits(overload, values)) continue;
    frame.spend(overload.cost === "one" ? 1 : callCost(overload.cost, sizesOf(values, weight)));
    const result = overload.metered === undefined ? call(...values) : overload.metered(frame, ...values);
    if (overload.cost !== "one") frame.spend(resultCost(result));
    return locate(result, at);
  }
  return noOverload(name, values.map(typeName)).located(at);
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

/** Characters, bytes, elements or entries; 0 for a scalar. */
function sizeOf(value: CelValue): number {
  if (typeof value === "string" || value instanceof Uint8Array || isList(value)) return value.length;
  return typeof value === "object" && value !== null && isMap(value) ? mapSize(value) : 0;
}
