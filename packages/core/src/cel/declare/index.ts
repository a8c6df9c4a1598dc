/** Declarations of an environment: variables, functions with their overloads, types. Begin with `overload.ts`. */

export { candidateNames, resolveIdent, resolveFunction, resolveType } from "./name-resolution.ts";
export type { Declarations, IdentDeclaration } from "./name-resolution.ts";
export { callCost, functionOverload, memberOverload } from "./overload.ts";
export type {
  CostClass,
  FunctionTable,
  Implementation,
  CostTrackedImplementation,
  Overload,
  OverloadOptions,
  Specialize,
  SpecializedCall,
} from "./overload.ts";
export {
  TYPE_A,
  TYPE_B,
  typeBParam,
  boolParam,
  bytesParam,
  doubleParam,
  durationParam,
  listParam,
  mapParam,
  stringParam,
  timestampParam,
  uintParam,
  typeAParam,
  intParam,
  objectParam,
  optionalParam,
  dynParam,
} from "./parameter.ts";
export type { CelParameter } from "./parameter.ts";
export { EMPTY_TYPE_PROVIDER } from "./provider.ts";
export type { CelTypeProvider } from "./provider.ts";
