/** What the console looks at, followed once and told to pages. Begin with `console-server.ts`. */

export { ClusterView } from "./cluster-view.ts";
export { serveConsole } from "./console-server.ts";
export { FleetView } from "./fleet-view.ts";
export { ProblemBoard } from "./problem-board.ts";
export type { ProcessAnswers, Processes, ProcessRuns } from "./processes.ts";
export { digestOf, loadWebFiles } from "./web-files.ts";
