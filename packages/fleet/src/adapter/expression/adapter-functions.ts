import {
  CEL_BOOL,
  CEL_DYN,
  CEL_INT,
  CEL_STRING,
  celFunction,
  celParameter,
  celToJson,
  listType,
  mapType,
} from "@levelset/core/cel";
import { generationState, isJsonObject } from "@levelset/core";
import type { CelLibrary, CelValue, CelParameter } from "@levelset/core/cel";
import type { JsonObject, JsonValue } from "@levelset/core";
import { parseTime, readObject, timeText } from "../../resource/index.ts";
import { objectOrEmpty, objectsOf } from "../json-parts.ts";
import { progressOf } from "../situation/index.ts";

const anything: CelParameter<CelValue> = celParameter(CEL_DYN, (value): value is CelValue => value !== undefined);
const aList: CelParameter<CelValue> = celParameter(listType(CEL_DYN), (value): value is CelValue =>
  Array.isArray(value),
);
/** Any value except a list: a Kubernetes object or a fleet resource. */
const anObject: CelParameter<CelValue> = celParameter(
  mapType(CEL_STRING, CEL_DYN),
  (value): value is CelValue => typeof value === "object" && value !== null && !Array.isArray(value),
);
const aText: CelParameter<string> = celParameter(CEL_STRING, (value) => typeof value === "string");
const aBool: CelParameter<boolean> = celParameter(CEL_BOOL, (value) => typeof value === "boolean");
const anInt: CelParameter<number> = celParameter(CEL_INT, (value) => typeof value === "number");

/**
 * CEL functions for adapter configurations, in addition to `toJson` and `dig`: the current time and condition helpers.
 * `conditions` are those of a fleet resource, with `last_transition_time`. `conditionStatus(object, type)` and
 * `triState(object, isTrue, isFalse)` take the object and return Unknown while its status is not of its latest
 * generation.
 */
export function adapterFunctions(now: () => number): CelLibrary {
  const age = (conditions: CelValue, type: string): number => secondsSince(conditionIn(conditions, type), now());
  return {
    name: "adapter",
    functions: [
      ["now", [celFunction("adapter_now", { parameters: [], result: CEL_STRING, call: () => wholeSeconds(now()) })]],
      [
        "conditionStatus",
        [
          celFunction("adapter_condition_status", {
            parameters: [aList, aText],
            result: CEL_STRING,
            call: (conditions, type) => statusOf(conditionIn(conditions, type)),
          }),
          celFunction("adapter_condition_status_of_object", {
            parameters: [anObject, aText],
            result: CEL_STRING,
            call: (object, type) => statusIn(celToJson(object), type),
          }),
        ],
      ],
      [
        "conditionAge",
        [celFunction("adapter_condition_age", { parameters: [aList, aText], result: CEL_INT, call: age })],
      ],
      [
        "stableFor",
        [
          celFunction("adapter_stable_for", {
            parameters: [aList, aText, anInt],
            result: CEL_BOOL,
            call: (conditions, type, seconds) => {
              const found = age(conditions, type);
              return statusOf(conditionIn(conditions, type)) === "True" && found >= 0 && found >= seconds;
            },
          }),
        ],
      ],
      [
        "statusFeedbackValue",
        [
          celFunction("adapter_status_feedback", {
            parameters: [anything, aText],
            result: CEL_STRING,
            call: (feedback, name) => feedbackOf(feedback, name),
          }),
        ],
      ],
      [
        "triState",
        [
          celFunction("adapter_tri_state", {
            parameters: [aBool, aBool],
            result: CEL_STRING,
            call: triState,
          }),
          celFunction("adapter_tri_state_of_object", {
            parameters: [anObject, aBool, aBool],
            result: CEL_STRING,
            call: (object, isTrue, isFalse) =>
              progressOf(celToJson(object)) === undefined ? triState(isTrue, isFalse) : "Unknown",
          }),
        ],
      ],
    ],
  };
}

function triState(isTrue: boolean, isFalse: boolean): string {
  return isTrue ? "True" : isFalse ? "False" : "Unknown";
}

/**
 * Returns the status of a condition; Unknown if the object's status or the condition is of another generation than the
 * latest.
 */
function statusIn(object: JsonValue, type: string): string {
  const live = readObject(object);
  const state = live === undefined ? "unknown" : generationState(live, undefined, type);
  if (state === "behind" || state === "ahead") return "Unknown";
  const { conditions = [] } = objectOrEmpty(objectOrEmpty(object)["status"]);
  return statusOf(objectsOf(conditions).find((condition) => condition["type"] === type));
}

/** Formats a time in RFC 3339 with second precision. */
function wholeSeconds(ms: number): string {
  return timeText(Math.floor(ms / 1_000) * 1_000).replace(/\.\d+Z$/u, "Z");
}

function conditionIn(conditions: CelValue, type: string): JsonObject | undefined {
  return objectsOf(celToJson(conditions)).find((condition) => condition["type"] === type);
}

function statusOf(condition: JsonObject | undefined): string {
  const status = condition?.["status"];
  return typeof status === "string" ? status : "Unknown";
}

/** Returns the whole seconds since a condition's last transition, or -1 if unknown. */
function secondsSince(condition: JsonObject | undefined, now: number): number {
  const text = condition?.["last_transition_time"];
  const time = typeof text === "string" ? parseTime(text) : undefined;
  return time === undefined ? -1 : Math.trunc((now - time) / 1_000);
}

/** Returns the value of a ManifestWork feedback rule, or an empty string if there is none. */
function feedbackOf(feedback: CelValue, name: string): string {
  const json = celToJson(feedback);
  const values = objectsOf(isJsonObject(json) ? json["values"] : undefined);
  const value = values.find((one) => one["name"] === name)?.["fieldValue"];
  const text = isJsonObject(value) ? value["string"] : undefined;
  return typeof text === "string" ? text : "";
}
