import type { Violation } from "../violation/index.ts";
import type { Operation } from "../history/index.ts";
import type { StoryEvent, WhyReport } from "../run/index.ts";
import { eventsWithViolation } from "./story-steps.ts";

/** What a page shows about one failure. */
export interface PageStory {
  readonly seed: number;
  readonly violation: Violation;
  readonly events: readonly StoryEvent[];
  readonly operations: readonly Operation[];
  /** When it was found, and the custom resources that it concerns. */
  readonly why?: WhyReport;
  /** The command that replays it. */
  readonly command: string;
  /** The end of the output of its process, if the process ended. */
  readonly output?: string;
}

/** One row of the coverage table. */
export interface CoverageRow {
  readonly name: string;
  /** `3/4`, or the counts by kind. */
  readonly covered: string;
  readonly missing: readonly string[];
}

/** The content of a page about a simulation. */
export interface StoryPage {
  /** The file with the program. */
  readonly file: string;
  readonly summary: string;
  readonly stories: readonly PageStory[];
  readonly coverage: readonly CoverageRow[];
  readonly warnings: readonly string[];
}

/** A column of the timeline. */
export type TimelineColumn = "client" | "fault" | "process" | "object" | "violation";

/** An event in its column. */
export interface TimelineEvent {
  readonly column: TimelineColumn;
  readonly atMs: number;
  readonly text: string;
}

const COLUMNS: Readonly<Record<StoryEvent["kind"], TimelineColumn>> = {
  operation: "client",
  fault: "fault",
  write: "object",
  status: "object",
  process: "process",
  violation: "violation",
};
const PROCESS_ACTIONS: ReadonlySet<Operation["do"]> = new Set(["restart", "downtime"]);

/** Returns the events of a story with their columns, until the violation. */
export function timelineEvents({
  events,
  operations,
  violation,
  why,
}: Pick<PageStory, "events" | "operations" | "violation" | "why">): readonly TimelineEvent[] {
  return columnsOf(eventsWithViolation(events, violation, why), operations);
}

/** Returns events with their columns. The n-th operation of the events is the n-th of the history. */
export function columnsOf(events: readonly StoryEvent[], operations: readonly Operation[]): readonly TimelineEvent[] {
  let next = 0;
  return events.map(({ kind, atMs, text }) => {
    const operation = kind === "operation" ? operations[next++] : undefined;
    const isProcess = operation !== undefined && PROCESS_ACTIONS.has(operation.do);
    return { column: isProcess ? "process" : COLUMNS[kind], atMs, text };
  });
}
