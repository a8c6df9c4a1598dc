/** CEL, the Common Expression Language, with cost limits and the libraries of Kubernetes. Begin with `environment.ts`. */

export { celFunction, celMethod, celParameter } from "./custom.ts";
export type {
  CelTypeProvider,
  CostClass,
  Implementation,
  MeteredImplementation,
  Overload,
  OverloadOptions,
  Parameter,
  Specialize,
  Specialized,
} from "./declare/index.ts";
export { CEL_SYNTAX_LIMITS, CelEnvironment, celEnvironment } from "./environment.ts";
export type { CelCompiled, CelEnvironmentOptions, CelParsed, CompileOptions } from "./environment.ts";
export type { CelIssue } from "./issue.ts";
export { BINDINGS, COMPREHENSIONS, ENCODERS, OPTIONALS, REGEX, SETS, celLibraries } from "./library/index.ts";
export type { CelLibrary } from "./library/index.ts";
export { CEL_COST_LIMIT, CelProgram } from "./program.ts";
export type { CelBindings, CelResult, EvaluateOptions } from "./program.ts";
export type { CostEstimate, SizeHints } from "./cost/index.ts";
export { children as celChildren, macroKey as celMacroKey, unparse as celUnparse } from "./syntax/index.ts";
export type { Expr as CelExpr, Macro as CelMacro } from "./syntax/index.ts";
export type { CancelSignal } from "./plan/index.ts";
export {
  CEL_BOOL,
  CEL_BYTES,
  CEL_DOUBLE,
  CEL_DURATION,
  CEL_DYN,
  CEL_INT,
  CEL_NONE,
  CEL_NULL,
  CEL_STRING,
  CEL_TIMESTAMP,
  CEL_UINT,
  CelDouble,
  CelDuration,
  CelFault,
  CelMap,
  CelObject,
  CelOptional,
  CelStop,
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
export type { CelField, CelInt, CelList, CelOutcome, CelType, CelValue, Meter } from "./value/index.ts";
