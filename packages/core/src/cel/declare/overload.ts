import type { CelFault, CelOutcome, CelType, CelValue, Meter } from "../value/index.ts";
import type { Parameter } from "./parameter.ts";

/**
 * What a call costs beyond 1, from the sizes of its arguments: `one` nothing; `scan` a tenth of the characters; `each` one per
 * element; `search` pattern times text; `pairs` the product of the sizes; `sort` n log n; `make` nothing; `heavy` a
 * fixed 50. All but `one` also pay for the text or list that they give, as if it were scanned.
 */
export type CostClass = "one" | "scan" | "each" | "search" | "pairs" | "sort" | "make" | "heavy";

/** What runs. It is only called with values that the parameters admit. */
export type Implementation = (...args: readonly CelValue[]) => CelOutcome;

/** What runs and pays for its steps. */
export type MeteredImplementation = (meter: Meter, ...args: readonly CelValue[]) => CelOutcome;

/** One signature of a function. The target of a member function is its first parameter. */
export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  readonly parameters: readonly Parameter<CelValue>[];
  readonly result: CelType;
  readonly cost: CostClass;
  /** Undefined where the function is built into the planner, or only declared. */
  readonly call: Implementation | undefined;
  /** Runs instead of `call`, and pays as it goes: for functions that walk through values, whose parts may be shared. */
  readonly metered?: MeteredImplementation;
  /** What to run instead where some arguments are known beforehand, such as the pattern of a regular expression. */
  readonly specialize: Specialize | undefined;
}

/** A better implementation for these arguments, undefined standing for those not known yet; undefined if there is none. */
export type Specialize = (constants: readonly (CelValue | undefined)[]) => Specialized | undefined;

/** An implementation that knows some of its arguments. */
export interface Specialized {
  readonly call: Implementation;
  /** What is wrong with the arguments, where they can never be right. */
  readonly fault?: CelFault;
  /** What stands for the size of the second argument when the call is paid for. */
  readonly weight?: number;
}

/** Functions by name, each with its signatures. */
export type FunctionTable = ReadonlyMap<string, readonly Overload[]>;

type Values<P extends readonly Parameter<CelValue>[]> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** What a signature is made of. `cost` is `one` if left out. */
export interface OverloadOptions<P extends readonly Parameter<CelValue>[]> {
  readonly parameters: readonly [...P];
  readonly result: CelType;
  readonly cost?: CostClass;
  readonly call?: (...args: Values<P>) => CelOutcome;
  readonly metered?: (meter: Meter, ...args: Values<P>) => CelOutcome;
  readonly specialize?: Specialize;
}

/** A signature of a function that is called as `f(x)`. */
export function global<const P extends readonly Parameter<CelValue>[]>(
  id: string,
  options: OverloadOptions<P>,
): Overload {
  return overload(id, false, options);
}

/** A signature of a function that is called as `x.f()`. */
export function member<const P extends readonly Parameter<CelValue>[]>(
  id: string,
  options: OverloadOptions<P>,
): Overload {
  return overload(id, true, options);
}

function overload<P extends readonly Parameter<CelValue>[]>(
  id: string,
  isMember: boolean,
  { parameters, result, cost = "one", call, metered, specialize }: OverloadOptions<P>,
): Overload {
  // The planner calls them only after every parameter has admitted its argument.
  const implementation = call as Implementation | undefined;
  const own = { id, isMember, parameters, result, cost, call: implementation, specialize };
  return metered === undefined ? own : { ...own, metered: metered as MeteredImplementation };
}

const HEAVY_COST = 51;

/** The cost of a call, given the sizes of its arguments: characters, bytes, elements; 0 for anything else. */
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
