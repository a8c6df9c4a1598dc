/** Whether an object of any kind has become what its latest spec asks for. Begin with `of-object.ts`. */

export { READINESS_FUNCTIONS, readinessFunctions, readKubeObject } from "./cel-library.ts";
export { readinessOf } from "./of-object.ts";
export type { Readiness } from "./readiness.ts";
export { isUnobserved } from "./unobserved.ts";
export { jobReadiness } from "./workload.ts";
