import { INIT } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import type { Condition, KubeObject } from "@levelset/core";
import { CLEANED_UP, NOT_REACHED } from "../engine/index.ts";
import type { ConditionState } from "./tree.ts";

/** Condition types with negative polarity: True means that the object is not done. For all other types, False does. */
const ADVERSE: ReadonlyMap<string, ConditionState> = new Map([
  ["Reconciling", "waiting"],
  ["Stalled", "failed"],
  ["Degraded", "failed"],
]);

/** Returns the conditions of an object of any kind. Malformed entries are skipped. */
export function conditionsOf(object: KubeObject & { readonly status?: unknown }): readonly Condition[] {
  const { status } = object;
  const list: unknown = isJsonObject(status) ? status["conditions"] : undefined;
  return Array.isArray(list) ? list.flatMap((entry: unknown) => readCondition(entry)) : [];
}

function readCondition(entry: unknown): readonly Condition[] {
  if (!isJsonObject(entry)) return [];
  const { type, status, severity, reason, message, lastTransitionTime } = entry;
  if (typeof type !== "string") return [];
  return [
    {
      type,
      status: status === "True" || status === "False" ? status : "Unknown",
      ...(severity === "Error" || severity === "Warning" || severity === "Info" ? { severity } : {}),
      reason: typeof reason === "string" ? reason : "",
      message: typeof message === "string" ? message : "",
      lastTransitionTime: typeof lastTransitionTime === "string" ? lastTransitionTime : "",
    },
  ];
}

/** Returns the state of a condition. False without a severity counts as waiting. */
export function conditionState({ type, status, severity, reason }: Condition): ConditionState {
  const adverse = ADVERSE.get(type);
  if (adverse !== undefined && status !== "Unknown") return status === "True" ? adverse : "done";
  if (status === "True" || reason === CLEANED_UP) return "done";
  if (status === "Unknown") return reason === NOT_REACHED || reason === INIT ? "pending" : "unknown";
  if (severity === "Error") return "failed";
  return severity === "Warning" ? "failing" : "waiting";
}
