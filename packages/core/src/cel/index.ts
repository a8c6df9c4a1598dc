/**
 * CEL, the Common Expression Language, with cost limits and the libraries of Kubernetes. Begin with `environment.ts`.
 */

export { celFunction, celMethod, celParameter } from "./custom-function.ts";
export type {
  CelTypeProvider,
  CostClass,
  Implementation,
  CostTrackedImplementation,
  Overload,
  OverloadOptions,
  CelParameter,
  Specialize,
  SpecializedCall,
} from "./declare/index.ts";
export { CEL_SYNTAX_LIMITS, CelEnvironment, celEnvironment } from "./environment.ts";
export type { CelCompileResult, CelEnvironmentOptions, CelParseResult, CompileOptions } from "./environment.ts";
export type { CelIssue } from "./issue.ts";
export {
  BINDINGS_LIBRARY,
  TWO_VAR_COMPREHENSIONS_LIBRARY,
  ENCODERS_LIBRARY,
  OPTIONALS_LIBRARY,
  REGEX_LIBRARY,
  SETS_LIBRARY,
  celLibraries,
} from "./library/index.ts";
export type { CelLibrary } from "./library/index.ts";
export { CEL_COST_LIMIT, CelProgram } from "./program.ts";
export type { CelBindings, CelResult, EvaluateOptions } from "./program.ts";
export type { CostEstimate, SizeHints } from "./cost/index.ts";
export { childExprs as celChildren, macroKey as celMacroKey, unparse as celUnparse } from "./syntax/index.ts";
export type { Expr as CelExpr, Macro as CelMacro } from "./syntax/index.ts";
export type { CancelSignal } from "./plan/index.ts";
export {
  CEL_BOOL,
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DURATION,
  CEL_DYN,
  CEL_INT,
  CEL_OPTIONAL_NONE,
  CEL_NULL,
  CEL_STRING,
  CEL_TIMESTAMP,
  CEL_UINT,
  CelDouble,
  CelDuration,
  CelError,
  CelMap,
  CelObject,
  CelOptional,
  EvalCancelledError,
  CelStruct,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  celType,
  equal as celEqual,
  formatType,
  fromJson as celFromJson,
  listType,
  mapType,
  optionalType,
  structType,
  toJson as celToJson,
} from "./value/index.ts";
export type { CelField, CelInt, CelList, CelOutcome, CelType, CelValue, CostTracker } from "./value/index.ts";
