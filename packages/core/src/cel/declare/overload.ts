import type { CelError, CelOutcome, CelType, CelValue, CostTracker } from "../value/index.ts";
import type { CelParameter } from "./parameter.ts";

/**
 * The cost of a call beyond 1, by the sizes of its arguments. `one`: none. `scan`: a tenth of the characters. `each`:
 * one per element. `search`: pattern times text. `pairs`: the product of the sizes. `sort`: n log n. `make`: none.
 * `heavy`: 50. All but `one` also count the returned string or list as scanned.
 */
export type CostClass = "one" | "scan" | "each" | "search" | "pairs" | "sort" | "make" | "heavy";

/** Computes the result of a CEL function. Called only with values that the parameters accept. */
export type Implementation = (...args: readonly CelValue[]) => CelOutcome;

/** An implementation that charges for its steps. */
export type CostTrackedImplementation = (meter: CostTracker, ...args: readonly CelValue[]) => CelOutcome;

/** An overload of a function. The receiver of a member function is its first parameter. */
export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  readonly parameters: readonly CelParameter<CelValue>[];
  readonly result: CelType;
  readonly cost: CostClass;
  /** Undefined if the planner implements the function, or if it is only declared. */
  readonly call: Implementation | undefined;
  /** Used instead of `call` by functions that walk values with shared parts; charges while it runs. */
  readonly callWithCost?: CostTrackedImplementation;
  /** Specializes the implementation for known arguments, such as the pattern of a regular expression. */
  readonly specialize: Specialize | undefined;
}

/** Returns an implementation for these arguments, where undefined is an unknown one; undefined if there is none. */
export type Specialize = (constants: readonly (CelValue | undefined)[]) => SpecializedCall | undefined;

/** An implementation specialized for known arguments. */
export interface SpecializedCall {
  readonly call: Implementation;
  /** Returns the problem with the arguments if the call always fails. */
  readonly fault?: CelError;
  /** Replaces the size of the second argument in the cost of the call. */
  readonly weight?: number;
}

/** Functions by name, with their overloads. */
export type FunctionTable = ReadonlyMap<string, readonly Overload[]>;

type Values<P extends readonly CelParameter<CelValue>[]> = {
  readonly [K in keyof P]: P[K] extends CelParameter<infer T> ? T : never;
};

/** Options of an overload. Default of `cost`: `one`. */
export interface OverloadOptions<P extends readonly CelParameter<CelValue>[]> {
  readonly parameters: readonly [...P];
  readonly result: CelType;
  readonly cost?: CostClass;
  readonly call?: (...args: Values<P>) => CelOutcome;
  readonly metered?: (meter: CostTracker, ...args: Values<P>) => CelOutcome;
  readonly specialize?: Specialize;
}

/** Declares an overload called as `f(x)`. */
export function functionOverload<const P extends readonly CelParameter<CelValue>[]>(
  id: string,
  options: OverloadOptions<P>,
): Overload {
  return overload(id, false, options);
}

/** Declares an overload called as `x.f()`. */
export function memberOverload<const P extends readonly CelParameter<CelValue>[]>(
  id: string,
  options: OverloadOptions<P>,
): Overload {
  return overload(id, true, options);
}

function overload<P extends readonly CelParameter<CelValue>[]>(
  id: string,
  isMember: boolean,
  { parameters, result, cost = "one", call, metered, specialize }: OverloadOptions<P>,
): Overload {
  // The planner calls it only after every parameter has accepted its argument.
  const implementation = call as Implementation | undefined;
  const own = { id, isMember, parameters, result, cost, call: implementation, specialize };
  return metered === undefined ? own : { ...own, callWithCost: metered as CostTrackedImplementation };
}

const HEAVY_COST = 51;

/** Returns the cost of a call from the sizes of its arguments: characters, bytes, elements; 0 for other values. */
export function callCost(cost: CostClass, sizes: readonly number[]): number {
  if (cost === "one" || cost === "make") return 1;
  if (cost === "heavy") return HEAVY_COST;
  const [first = 0, second = 0] = sizes;
  switch (cost) {
    case "scan":
      return 1 + Math.ceil(sum(sizes) * 0.1);
    case "each":
      return 1 + sum(sizes);
    case "search":
      return 1 + Math.ceil((first + 1) * 0.1) * Math.ceil((second + 1) * 0.25);
    case "pairs":
      return 1 + first * Math.max(second, 1);
    case "sort":
      return 1 + Math.ceil(first * Math.log2(first + 1));
    default:
      return cost satisfies never;
  }
}

function sum(sizes: readonly number[]): number {
  let total = 0;
  for (const size of sizes) total += size;
  return total;
}
