/** Watches cluster and fleet once and streams updates to pages. Begin with `console-server.ts`. */

export { ClusterMonitor } from "./monitor/cluster-monitor.ts";
export { serveConsole } from "./console-server.ts";
export { FleetMonitor } from "./monitor/fleet-monitor.ts";
export { ProblemList } from "./monitor/problem-list.ts";
export type { ProcessResponses, Processes, ProcessRuns } from "./monitor/processes.ts";
export type { RecordedStory, Stories } from "./monitor/stories.ts";
export { buildDigest, loadWebFiles } from "./web-files.ts";
