/** The readiness of single built-in kinds, for their declarations. Begin with `readiness.ts`. */

export { podReadiness } from "./pod.ts";
export {
  asRecord,
  conditionMessage,
  failedByCondition,
  findRawCondition,
  progressingWith,
  readyWith,
  staleness,
  stringField,
} from "./readiness.ts";
export type { Readiness, ReadinessRule, UnknownRecord } from "./readiness.ts";
export { claimReadiness, conditionReadiness, crdReadiness, phaseReadiness, serviceReadiness } from "./simple-kinds.ts";
export {
  daemonSetReadiness,
  deploymentReadiness,
  jobReadiness,
  replicaSetReadiness,
  statefulSetReadiness,
} from "./workload.ts";
