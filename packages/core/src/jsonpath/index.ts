/** The JSONPath of Kubernetes: compiled once, evaluated with a bound. Begin with `compile.ts`. */

export { compileJsonPath, JSON_PATH_LENGTH_MAX } from "./compile.ts";
export { JsonPathError } from "./json-path-error.ts";
export { evaluateJsonPath, JSON_PATH_VISITS_MAX } from "./evaluate.ts";
export type { JsonPath, PathFilter, PathOperand, PathOperator, PathStep } from "./path.ts";
