/** Readiness: whether an object of any kind has reached its latest spec. Begin with `readiness-of.ts`. */

export { isBuiltIn, readinessRuleOf } from "./built-in-kinds.ts";
export { READINESS_FUNCTIONS, readinessFunctions, readKubeObject } from "./cel-library.ts";
export { objectState, stateOfConditions } from "./object-state.ts";
export type { ObjectStateOptions } from "./object-state.ts";
export { readinessOf } from "./readiness-of.ts";
export { isRecord, isUnobserved } from "./unobserved.ts";
