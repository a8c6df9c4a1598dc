/** The web console: a server on loopback that shows a cluster, a fleet and operator processes. */

export { startConsole } from "./start-console.ts";
export type { ClusterConnection, ConsoleOptions, RunningConsole } from "./start-console.ts";
export type { ProcessResponses, Processes, ProcessRuns } from "./server/index.ts";
export type { ControllerJson, RunJson, StepJson } from "@levelset/operator/internal";
