/** Shared between the packages of levelset and their tests. Not part of the public API: names may change in any release. */

export { Campaign, CoverageCounter, isSimulation, runSeeds, shrinkCase } from "./campaign/index.ts";
export type { Coverable, CoverageJson, SeedOptions, SeedResult } from "./campaign/index.ts";
export type { PlannedFault } from "./fault/index.ts";
export { isRule, oracleOf, RULES } from "./violation/index.ts";
export type { History, Operation } from "./history/index.ts";
export { describeFault, describeOperation } from "./run/index.ts";
export type { Examination, StoryEvent } from "./run/index.ts";
export {
  columnsOf,
  eventsUntil,
  eventsWithViolation,
  evidenceLines,
  formatStoryFile,
  formatTime,
  parseStoryFile,
  replayText,
  storyHtml,
  storyTest,
  storyText,
  verdictText,
  whyText,
} from "./story/index.ts";
export type {
  CoverageRow,
  PageStory,
  StoryFile,
  StoryMaterial,
  StoryPage,
  TestMaterial,
  TimelineColumn,
  TimelineEvent,
} from "./story/index.ts";
export { openProgram, startOperators } from "./subject/index.ts";
export { isRefusedConnection, refuseNetwork } from "./world/index.ts";
export type { RefusedNetwork } from "./world/index.ts";
