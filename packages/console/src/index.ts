/** The web console: a server on loopback that shows a cluster, a fleet and operator processes. */

export { startConsole } from "./start-console.ts";
export type { ClusterConnection, ConsoleOptions, RunningConsole } from "./start-console.ts";
export type { ProcessResponses, Processes, ProcessRuns, RecordedStory, Stories } from "./server/index.ts";
export { isStoryName } from "./api/index.ts";
export type { StoriesDocument, StoryColumn, StoryDifference, StoryEventView, StoryRow } from "./api/index.ts";
export type { ControllerJson, RunJson, StepJson } from "@levelset/operator/internal";
