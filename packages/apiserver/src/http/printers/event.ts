import type { EventSource, EventV1, Event, JsonValue, ObjectOf } from "@levelset/core";
import { formatAge } from "../age.ts";
import { tableColumn, printer, wideColumn } from "./printer.ts";
import type { TableColumnDefinition, Printer } from "./printer.ts";
import { UNKNOWN_CELL } from "./cell-text.ts";

const COLUMNS: readonly TableColumnDefinition[] = [
  tableColumn("Last Seen", "How long ago it happened last."),
  tableColumn("Type", "Normal or Warning."),
  tableColumn("Reason", "Reason of the event."),
  tableColumn("Object", "The object of the event."),
  wideColumn("Subobject", "The field of the object."),
  wideColumn("Source", "Component that reported the event."),
  tableColumn("Message", "Message for people."),
  wideColumn("First Seen", "How long ago it happened first."),
  wideColumn("Count", "Number of occurrences."),
  tableColumn("Name", "Name, unique in the namespace.", { format: "name", priority: 1 }),
];

/** An event of either group, with the field names of core/v1. */
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
    time === undefined || time === null ? UNKNOWN_CELL : formatAge(time, now);
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
