export { readinessOf } from "./of-object.ts";
export type { Readiness } from "./readiness.ts";
export { jobReadiness } from "./workload.ts";
