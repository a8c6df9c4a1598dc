import {
  CEL_BOOL,
  CEL_DYN,
  CEL_INT,
  CEL_STRING,
  celFunction,
  celParameter,
  celToJson,
  generationState,
  isJsonObject,
  listType,
  mapType,
} from "@levelset/core";
import type { CelLibrary, CelValue, JsonObject, JsonValue, Parameter } from "@levelset/core";
import { parseTime, readObject, timeText } from "../../resource/index.ts";
import { objectOf, objectsOf } from "../json-parts.ts";
import { progressOf } from "../situation/index.ts";

const anything: Parameter<CelValue> = celParameter(CEL_DYN, (value): value is CelValue => value !== undefined);
const aList: Parameter<CelValue> = celParameter(listType(CEL_DYN), (value): value is CelValue => Array.isArray(value));
/** Anything but a list: a Kubernetes object, or a resource of the fleet. */
const anObject: Parameter<CelValue> = celParameter(
  mapType(CEL_STRING, CEL_DYN),
  (value): value is CelValue => typeof value === "object" && value !== null && !Array.isArray(value),
);
const aText: Parameter<string> = celParameter(CEL_STRING, (value) => typeof value === "string");
const aBool: Parameter<boolean> = celParameter(CEL_BOOL, (value) => typeof value === "boolean");
const anInt: Parameter<number> = celParameter(CEL_INT, (value) => typeof value === "number");

/**
 * Functions that configurations of adapters use beside `toJson` and `dig`: the time, and what conditions say.
 * `conditions` are those of a resource in the API, with `last_transition_time`. `conditionStatus(object, type)` and
 * `triState(object, isTrue, isFalse)` take the object itself, and give Unknown while its status is not about its latest generation.
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

/** The status of a condition of an object; Unknown if the object or the condition is about another generation than the latest. */
function statusIn(object: JsonValue, type: string): string {
  const live = readObject(object);
  const state = live === undefined ? "unknown" : generationState(live, undefined, type);
  if (state === "behind" || state === "ahead") return "Unknown";
  const { conditions = [] } = objectOf(objectOf(object)["status"]);
  return statusOf(objectsOf(conditions).find((condition) => condition["type"] === type));
}

/** A time in RFC 3339, to the second. */
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

/** Whole seconds since a condition's last transition; -1 if that is not known. */
function secondsSince(condition: JsonObject | undefined, now: number): number {
  const text = condition?.["last_transition_time"];
  const time = typeof text === "string" ? parseTime(text) : undefined;
  return time === undefined ? -1 : Math.trunc((now - time) / 1_000);
}

/** The text that a feedback rule of a ManifestWork gave; empty if there is none. */
function feedbackOf(feedback: CelValue, name: string): string {
  const json = celToJson(feedback);
  const values = objectsOf(isJsonObject(json) ? json["values"] : undefined);
  const value = values.find((one) => one["name"] === name)?.["fieldValue"];
  const text = isJsonObject(value) ? value["string"] : undefined;
  return typeof text === "string" ? text : "";
}
