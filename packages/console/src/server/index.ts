/** Watches cluster and fleet once and streams updates to pages. Begin with `console-server.ts`. */

export { ClusterMonitor } from "./cluster-monitor.ts";
export { serveConsole } from "./console-server.ts";
export { FleetMonitor } from "./fleet-monitor.ts";
export { ProblemList } from "./problem-list.ts";
export type { ProcessResponses, Processes, ProcessRuns } from "./processes.ts";
export { buildDigest, loadWebFiles } from "./web-files.ts";
