import { deepEqual } from "@levelset/core";
import type { EventV1, ObjectOf } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { invalidField, requiredField } from "../../field-errors.ts";
import { dnsSubdomainProblems } from "../../name-validation.ts";
import type { KindStrategy } from "../../strategy.ts";
import type { FieldErrors } from "../field-checks.ts";
import { eventStrategy } from "../core/event.ts";
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
export const eventV1Strategy: KindStrategy = {
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
