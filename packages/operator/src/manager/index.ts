/** Operators as a process: lease, CRDs, endpoints, figures, rights. Begin with `managed.ts`. */

export type { EndpointOptions } from "./endpoint-options.ts";
export { installKind, isServed } from "./install.ts";
export type { Installed, InstallOptions } from "./install.ts";
export type { LeaderElection, ManagerOptions } from "./managed.ts";
export { manager } from "./manager.ts";
export type { Manager } from "./manager.ts";
export { operator } from "./operator.ts";
export type { Operator, OperatorOptions } from "./operator.ts";
export { policyRules } from "./rbac.ts";
export type { AccessNeeds, AccessOptions, AccessRules } from "./rbac.ts";
export { compareRuns } from "./run-json.ts";
export type { ControllerJson, RunJson, RunsJson, StepJson } from "./run-json.ts";
export type { AnyController, Managed, OperatorRuntime } from "./runtime.ts";
