export { startConsole } from "./main.ts";
export type { ClusterPlace, ConsoleOptions, RunningConsole } from "./main.ts";
export type { ProcessAnswers, Processes, ProcessRuns } from "./server/index.ts";
