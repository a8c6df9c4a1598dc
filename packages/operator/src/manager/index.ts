export type { EndpointOptions } from "./endpoints.ts";
export { installKind, isServed } from "./install.ts";
export type { Installed } from "./install.ts";
export type { LeaderElection, ManagerOptions } from "./managed.ts";
export { manager } from "./manager.ts";
export { operator } from "./operator.ts";
export type { Operator, OperatorOptions } from "./operator.ts";
export type { RunJson } from "./run-json.ts";
export type { AnyController, Managed, OperatorRuntime } from "./runtime.ts";
