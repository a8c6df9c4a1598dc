import type { NewOf, EventSource, JsonValue, ObjectOf } from "@levelset/core";
import { Event } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  invalidField,
  requiredField,
  pathSegmentProblems,
  formatAge,
  tableColumn,
  printer,
  wideColumn,
  UNKNOWN_CELL,
  builtinResource,
  fieldAt,
  fieldLabels,
  fieldsAt,
  NAME_FIELDS,
} from "../../resource/index.ts";
import type { KindStrategy, TableColumnDefinition, Printer, Resource } from "../../resource/index.ts";
import { isEmptyString, requiredStringErrors, qualifiedNameErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

type Fields = Unvalidated<NewOf<typeof Event>>;

const LENGTHS = { reportingInstance: 128, action: 128, reason: 128, message: 1_024 } as const;

/** Strategy of core Events: namespace of the involved object; events with an eventTime must name the reporter. */
export const eventStrategy: KindStrategy = {
  defaultPropagationPolicy: "unsupported",
  defaults: (draft) => ({
    ...draft,
    involvedObject: draft["involvedObject"] ?? {},
    source: draft["source"] ?? {},
    firstTimestamp: draft["firstTimestamp"] ?? null,
    lastTimestamp: draft["lastTimestamp"] ?? null,
    eventTime: draft["eventTime"] ?? null,
  }),
  // The kind has no name rule, so only the generic one applies (`BeforeCreate` in
  // k8s.io/apiserver/pkg/registry/rest/create.go, Kubernetes 1.36).
  nameProblems: pathSegmentProblems,
  validate: eventErrors,
};

function* eventErrors(object: ApiObject): FieldErrors {
  const namespace = object.metadata.namespace ?? "";
  const about = unvalidatedField<NonNullable<Fields["involvedObject"]>>(object, "involvedObject")?.namespace ?? "";
  const isTimed = (unvalidatedField<string | null>(object, "eventTime") ?? null) !== null;
  const isHome = isTimed ? ["default", "kube-system"].includes(namespace) : namespace === "default";
  const isMatching = about === "" ? isHome : isTimed || about === namespace;
  if (!isMatching) yield invalidField("involvedObject.namespace", about, "does not match event.namespace");
  if (!isTimed) return;
  const reporter = unvalidatedField<string>(object, "reportingComponent") ?? "";
  yield* requiredStringErrors("reportingComponent", reporter);
  yield* qualifiedNameErrors("reportingComponent", reporter);
  for (const [field, max] of Object.entries(LENGTHS)) {
    const text = unvalidatedField<string>(object, field);
    if (field !== "message" && isEmptyString(text)) yield requiredField(field);
    if ((text ?? "").length > max) yield invalidField(field, "", `can have at most ${max} characters`);
  }
}

export const EVENT_COLUMNS: readonly TableColumnDefinition[] = [
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
export interface Occurrence {
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

const eventPrinter: Printer = printer<typeof Event>(EVENT_COLUMNS, (event, now) =>
  eventCells(
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

export function eventCells(event: Occurrence, now: number): readonly JsonValue[] {
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

/** Fields of an object reference that event selectors support. */
export const REFERENCE_FIELDS: readonly string[] = [
  "kind",
  "namespace",
  "name",
  "uid",
  "apiVersion",
  "resourceVersion",
  "fieldPath",
];

const [sourceComponent, reportingComponent] = [fieldAt("source.component"), fieldAt("reportingComponent")];

/** The event's source, or its reporting component (`pkg/registry/core/event/strategy.go`, Kubernetes 1.36). */
function eventSource(object: ApiObject): string {
  return sourceComponent(object) || reportingComponent(object);
}

/** Events of the core group. */
export const eventResource: Resource = builtinResource({
  kind: Event,
  strategy: eventStrategy,
  printer: eventPrinter,
  fieldLabels: fieldLabels({
    ...NAME_FIELDS,
    ...fieldsAt(...REFERENCE_FIELDS.map((field) => `involvedObject.${field}`), "reason", "reportingComponent", "type"),
    source: eventSource,
  }),
});
