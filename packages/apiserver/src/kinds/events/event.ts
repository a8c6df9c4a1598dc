import { deepEqual } from "@levelset/core/internal";
import { EventV1 } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  invalidField,
  requiredField,
  dnsSubdomainProblems,
  printer,
  builtinResource,
  fieldLabels,
  fieldsAt,
  NAME_FIELDS,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, UnvalidatedObject, Resource } from "../../resource/index.ts";
import type { FieldErrors } from "../field-checks.ts";
import { eventStrategy, EVENT_COLUMNS, eventCells, eventResource, REFERENCE_FIELDS } from "../core/event.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

type Series = Unvalidated<NonNullable<ObjectOf<typeof EventV1>["series"]>>;

/** Fields that are immutable in events.k8s.io/v1 (all but the series): stored name, name in errors. */
const IMMUTABLE: readonly (readonly [string, string])[] = [
  ["involvedObject", "involvedObject"],
  ["reason", "reason"],
  ["message", "message"],
  ["source", "source"],
  ["firstTimestamp", "firstTimestamp"],
  ["lastTimestamp", "lastTimestamp"],
  ["count", "count"],
  ["reason", "reason"],
  ["type", "type"],
  ["eventTime", "eventTime"],
  ["action", "action"],
  ["related", "related"],
  ["reportingComponent", "reportingController"],
  ["reportingInstance", "reportingInstance"],
];

/** Strategy of Events written through events.k8s.io/v1, in stored form. Stricter than the core strategy. */
const eventV1Strategy: KindStrategy = {
  ...eventStrategy,
  nameProblems: dnsSubdomainProblems,
  *validate(object, old) {
    for (const error of eventStrategy.validate?.(object, old) ?? []) {
      const field = error.field === "reportingComponent" ? "reportingController" : error.field;
      yield { ...error, field };
    }
    if (old === undefined) yield* createErrors(object);
    else yield* updateErrors(object, old);
  },
};

function* createErrors(object: ApiObject): FieldErrors {
  yield* seriesErrors(object);
  const isGiven = (field: string): boolean => (object[field] ?? null) !== null;
  if (!isGiven("eventTime")) yield requiredField("eventTime");
  const type = unvalidatedField<string>(object, "type") ?? "";
  if (type !== "Normal" && type !== "Warning") yield invalidField("type", "", `has invalid value: ${type}`);
  for (const field of ["firstTimestamp", "lastTimestamp"]) {
    if (isGiven(field)) yield invalidField(field, "", "needs to be unset");
  }
  if ((unvalidatedField<number>(object, "count") ?? 0) !== 0) yield invalidField("count", "", "needs to be unset");
  const { component = "", host = "" } = unvalidatedField<{ component?: string; host?: string }>(object, "source") ?? {};
  if (component !== "" || host !== "") yield invalidField("source", "", "needs to be unset");
}

function* updateErrors(object: ApiObject, old: ApiObject): FieldErrors {
  if (!deepEqual(object["series"], old["series"])) yield* seriesErrors(object);
  for (const [field, shown] of IMMUTABLE) {
    if (!deepEqual(object[field], old[field])) yield invalidField(shown, object[field], "field is immutable");
  }
}

function* seriesErrors(object: ApiObject): FieldErrors {
  const series = unvalidatedField<Series>(object, "series");
  if (series === undefined) return;
  if ((series.count ?? 0) < 2) yield invalidField("series.count", "", "should be at least 2");
  if (series.lastObservedTime === undefined) yield requiredField("series.lastObservedTime");
}

const eventV1Printer: Printer = printer<typeof EventV1>(EVENT_COLUMNS, (event, now) =>
  eventCells(
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

/** Renamed fields: name in events.k8s.io/v1, name in core/v1 (`pkg/apis/events/v1/conversion.go`, Kubernetes 1.36). */
const RENAMED: readonly (readonly [string, string])[] = [
  ["regarding", "involvedObject"],
  ["note", "message"],
  ["reportingController", "reportingComponent"],
  ["deprecatedSource", "source"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedCount", "count"],
];

const TO_HOME: ReadonlyMap<string, string> = new Map(RENAMED);

const FROM_HOME: ReadonlyMap<string, string> = new Map(RENAMED.map(([there, here]) => [here, there]));

function fromHome(object: ApiObject): ApiObject {
  const { kind, metadata } = object;
  return { ...renamed(object, FROM_HOME), apiVersion: "events.k8s.io/v1", kind, metadata };
}

function renamed(
  from: UnvalidatedObject | ApiObject,
  names: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [names.get(name) ?? name, value]));
}

/** Events of events.k8s.io, stored as events of the core group. */
export const eventV1Resource: Resource = builtinResource({
  kind: EventV1,
  printer: eventV1Printer,
  fieldLabels: fieldLabels({
    ...NAME_FIELDS,
    ...fieldsAt(...REFERENCE_FIELDS.map((field) => `regarding.${field}`), "reason", "reportingController", "type"),
  }),
  alias: {
    // Writes through events.k8s.io/v1 are validated in stored form, and more strictly.
    storageResource: { ...eventResource, strategy: eventV1Strategy },
    toStorage: (draft) => ({
      ...renamed(draft, TO_HOME),
      apiVersion: "v1",
      kind: draft.kind,
      metadata: draft.metadata,
    }),
    fromStorage: fromHome,
  },
});
