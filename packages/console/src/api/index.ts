/** Messages between pages and server. Begin with `stream.ts`. */

export { parseAction } from "./action.ts";
export type { Action, ResourceRef } from "./action.ts";
export type {
  AdapterView,
  FleetResourceDocument,
  RelatedResource,
  JournalEntryView,
  PulseView,
} from "./fleet-resource-document.ts";
export type {
  ConditionChange,
  ConditionView,
  EventView,
  ObjectDocument,
  RelatedObject,
  FieldManagerView,
  YamlLine,
} from "./object-document.ts";
export { formatRef, parseRef } from "./object-ref.ts";
export type { Problem, ProblemReason, SourceName } from "./problem.ts";
export type { AdapterCell, CellState, DisplayState, FleetRow, ObjectRow } from "./row.ts";
export type { CacheView, ControllerView, ProcessView, RuntimeDocument, Sample } from "./runtime-document.ts";
export { ACTION_TOKEN_HEADER } from "./session.ts";
export type { Session } from "./session.ts";
export type {
  DiffLine,
  PlanEntry,
  PlanView,
  OperandDocument,
  OperandItem,
  OperandRevisionView,
} from "./operand-document.ts";
export { isStoryName } from "./story-document.ts";
export type {
  StoriesDocument,
  StoryColumn,
  StoryDifference,
  StoryDocument,
  StoryEventView,
  StoryRow,
} from "./story-document.ts";
export { formatPositions, parsePositions, streamPath } from "./stream.ts";
export type { Documents, StreamMessage, Tables, TopicMessage } from "./stream.ts";
