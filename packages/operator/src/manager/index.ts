/**
 * Runs operators in one process: leader election, CRDs, endpoints, metrics and RBAC rules. Begin with
 * `run-operators.ts`.
 */

export type { EndpointOptions } from "./endpoint-options.ts";
export { allows, grants, needsRule, requestAttributes, scopedRules } from "./authorizer.ts";
export type { RequestAttributes, ScopedRule } from "./authorizer.ts";
export { installCrd, isServed } from "./install-crd.ts";
export type { InstallCrdResult, InstallCrdOptions } from "./install-crd.ts";
export { runOperators } from "./run-operators.ts";
export type { LeaderElection, ManagerOptions, RunOperatorsOptions } from "./run-operators.ts";
export { manager } from "./manager.ts";
export type { Manager } from "./manager.ts";
export { operator } from "./operator.ts";
export type { Operator, OperatorOptions } from "./operator.ts";
export { policyRules } from "./rbac.ts";
export type { RbacNeeds, RbacOptions, RbacRules } from "./rbac.ts";
export { compareRuns, RUN_RESULTS, runJson } from "./run-json.ts";
export type { ControllerJson, RunJson, RunResult, RunsJson, StepJson } from "./run-json.ts";
export type { AnyController, ManagedOperator, OperatorRuntime } from "./runtime.ts";
