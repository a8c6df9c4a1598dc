import { isJsonObject } from "@levelset/core";
import type { Condition, KubeObject } from "@levelset/core";
import type { ConditionState } from "./tree.ts";

/** Conditions that say with True that something is wrong or under way; all others say so with anything else. */
const ADVERSE: ReadonlyMap<string, ConditionState> = new Map([
  ["Reconciling", "waiting"],
  ["Stalled", "failed"],
  ["Degraded", "failed"],
]);

/** Reasons of conditions that an earlier step keeps from being looked at. */
const PENDING = ["NotReached", "Init"];

/** The reason of conditions whose steps have cleaned up after themselves: on deletion that is all there is to do. */
const CLEANED = "Deleted";

/** The conditions of an object of any kind: those of its entries that are some. */
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

/** How far a condition is. A False that does not say how bad it is counts as on its way. */
export function conditionState({ type, status, severity, reason }: Condition): ConditionState {
  const adverse = ADVERSE.get(type);
  if (adverse !== undefined && status !== "Unknown") return status === "True" ? adverse : "done";
  if (status === "True" || reason === CLEANED) return "done";
  if (status === "Unknown") return PENDING.includes(reason) ? "pending" : "unknown";
  if (severity === "Error") return "failed";
  return severity === "Warning" ? "failing" : "waiting";
}
