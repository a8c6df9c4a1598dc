/** What an environment declares: names, functions with their overloads, types. Begin with `overload.ts`. */

export { candidates, lookUp, lookUpFunction, lookUpType } from "./names.ts";
export type { Declarations, Named } from "./names.ts";
export { callCost, global, member } from "./overload.ts";
export type {
  CostClass,
  FunctionTable,
  Implementation,
  MeteredImplementation,
  Overload,
  OverloadOptions,
  Specialize,
  Specialized,
} from "./overload.ts";
export {
  TYPE_A,
  TYPE_B,
  aB,
  aBool,
  aBytes,
  aDouble,
  aDuration,
  aListOf,
  aMapOf,
  aString,
  aTimestamp,
  aUint,
  anA,
  anInt,
  anObject,
  anOptionalOf,
  anything,
} from "./parameter.ts";
export type { Parameter } from "./parameter.ts";
export { NO_TYPES } from "./provider.ts";
export type { CelTypeProvider } from "./provider.ts";
