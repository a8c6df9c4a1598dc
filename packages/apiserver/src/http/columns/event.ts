import type { EventSource, EventV1, Event, JsonValue, ObjectOf } from "@levelset/core";
import { age } from "../age.ts";
import { column, printer, wide } from "./printer.ts";
import type { ColumnDefinition, Printer } from "./printer.ts";
import { UNKNOWN } from "./text.ts";

const COLUMNS: readonly ColumnDefinition[] = [
  column("Last Seen", "How long ago it happened last."),
  column("Type", "Normal or Warning."),
  column("Reason", "What happened, in one word."),
  column("Object", "The object it happened to."),
  wide("Subobject", "The part of that object."),
  wide("Source", "Who saw it."),
  column("Message", "What happened, for people."),
  wide("First Seen", "How long ago it happened first."),
  wide("Count", "How often it happened."),
  column("Name", "Its name, unique within its place.", { format: "name", priority: 1 }),
];

/** An event of either group, in the words of the older one. */
interface Occurrence {
  readonly name: string;
  readonly type: string | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly object: ObjectOf<typeof Event>["involvedObject"] | undefined;
  readonly source: EventSource | undefined;
  readonly reporter: string | undefined;
  readonly instance: string | undefined;
  readonly count: number | undefined;
  readonly series: ObjectOf<typeof Event>["series"] | undefined;
  readonly eventTime: string | null | undefined;
  readonly first: string | null | undefined;
  readonly last: string | null | undefined;
}

export const eventPrinter: Printer = printer<typeof Event>(COLUMNS, (event, now) =>
  cells(
    {
      name: event.metadata.name,
      type: event.type,
      reason: event.reason,
      message: event.message,
      object: event.involvedObject,
      source: event.source,
      reporter: event.reportingComponent,
      instance: event.reportingInstance,
      count: event.count,
      series: event.series,
      eventTime: event.eventTime,
      first: event.firstTimestamp,
      last: event.lastTimestamp,
    },
    now,
  ),
);

export const eventV1Printer: Printer = printer<typeof EventV1>(COLUMNS, (event, now) =>
  cells(
    {
      name: event.metadata.name,
      type: event.type,
      reason: event.reason,
      message: event.note,
      object: event.regarding,
      source: event.deprecatedSource,
      reporter: event.reportingController,
      instance: event.reportingInstance,
      count: event.deprecatedCount,
      series: event.series,
      eventTime: event.eventTime,
      first: event.deprecatedFirstTimestamp,
      last: event.deprecatedLastTimestamp,
    },
    now,
  ),
);

function cells(event: Occurrence, now: number): readonly JsonValue[] {
  const { object, series } = event;
  const since = (time: string | null | undefined): string =>
    time === undefined || time === null ? UNKNOWN : age(time, now);
  const first = event.first ?? event.eventTime;
  const kind = (object?.kind ?? "").toLowerCase();
  const name = object?.name ?? "";
  return [
    since(series === undefined ? (event.last ?? first) : series.lastObservedTime),
    event.type ?? "",
    event.reason ?? "",
    name === "" ? kind : `${kind}/${name}`,
    object?.fieldPath ?? "",
    sourceText(event),
    (event.message ?? "").trim(),
    since(first),
    series === undefined ? event.count || 1 : (series.count ?? 0),
    event.name,
  ];
}

function sourceText({ source, reporter = "", instance = "" }: Occurrence): string {
  const program = source?.component || reporter;
  const place = source?.host || instance;
  return place === "" ? program : `${program}, ${place}`;
}
