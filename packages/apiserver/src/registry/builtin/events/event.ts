import { deepEqual } from "@levelset/core";
import type { EventV1, ObjectOf } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { invalidField, requiredField } from "../../field.ts";
import { dnsSubdomainProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import type { Errors } from "../check.ts";
import { eventRules } from "../core/event.ts";
import { fieldOf } from "../loose.ts";
import type { Loose } from "../loose.ts";

type Series = Loose<NonNullable<ObjectOf<typeof EventV1>["series"]>>;

/** What cannot be changed through this group: all but the series. Fields of the stored form, and what errors call them. */
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

/** Events that are written through events.k8s.io, in the form of the core group: stricter than there. */
export const eventV1Rules: KindRules = {
  ...eventRules,
  nameProblems: dnsSubdomainProblems,
  *validate(object, old) {
    for (const error of eventRules.validate?.(object, old) ?? []) {
      const field = error.field === "reportingComponent" ? "reportingController" : error.field;
      yield { ...error, field };
    }
    if (old === undefined) yield* createErrors(object);
    else yield* updateErrors(object, old);
  },
};

function* createErrors(object: ApiObject): Errors {
  yield* seriesErrors(object);
  const isGiven = (field: string): boolean => (object[field] ?? null) !== null;
  if (!isGiven("eventTime")) yield requiredField("eventTime");
  const type = fieldOf<string>(object, "type") ?? "";
  if (type !== "Normal" && type !== "Warning") yield invalidField("type", "", `has invalid value: ${type}`);
  for (const field of ["firstTimestamp", "lastTimestamp"]) {
    if (isGiven(field)) yield invalidField(field, "", "needs to be unset");
  }
  if ((fieldOf<number>(object, "count") ?? 0) !== 0) yield invalidField("count", "", "needs to be unset");
  const { component = "", host = "" } = fieldOf<{ component?: string; host?: string }>(object, "source") ?? {};
  if (component !== "" || host !== "") yield invalidField("source", "", "needs to be unset");
}

function* updateErrors(object: ApiObject, old: ApiObject): Errors {
  if (!deepEqual(object["series"], old["series"])) yield* seriesErrors(object);
  for (const [field, shown] of IMMUTABLE) {
    if (!deepEqual(object[field], old[field])) yield invalidField(shown, object[field], "field is immutable");
  }
}

function* seriesErrors(object: ApiObject): Errors {
  const series = fieldOf<Series>(object, "series");
  if (series === undefined) return;
  if ((series.count ?? 0) < 2) yield invalidField("series.count", "", "should be at least 2");
  if (series.lastObservedTime === undefined) yield requiredField("series.lastObservedTime");
}
