import { findCondition, isJsonObject, READY } from "@levelset/core";
import { deepEqual, objectState } from "@levelset/core/internal";
import type { Condition, JsonObject, KubeObject, ObjectState } from "@levelset/core";
import { refOf } from "@levelset/operator/internal";
import type { ObjectRef } from "@levelset/operator";
import type { StoreChange } from "./store-changes.ts";

/** The Ready condition of an object, and the state that it stands for. */
export interface ReportedState {
  readonly state: ObjectState;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** What an operator would report about an object. */
export interface StatusReport {
  readonly ref: ObjectRef;
  readonly uid: string;
  /** Undefined if the object does not exist yet. */
  readonly before: ReportedState | undefined;
  readonly after: ReportedState;
  /** Its status without times. */
  readonly statusBefore: JsonObject;
  readonly statusAfter: JsonObject;
  /** Whether it is Ready now and would not be, or would fail. */
  readonly isRegression: boolean;
}

/** Returns what would be reported about an own object; undefined if its status stays as it is, or it is deleted. */
export function statusReport(
  { before, after }: Pick<StoreChange, "before" | "after">,
  isProgressExpected: (uid: string) => boolean,
): StatusReport | undefined {
  if (after === undefined) return undefined;
  const [statusBefore, statusAfter] = [statusOf(before), statusOf(after)];
  if (deepEqual(statusBefore, statusAfter)) return undefined;
  const { uid } = after.metadata;
  const [was, is] = [before && reportedState(before), reportedState(after)];
  const isRegression = isWorse(was?.state, is.state, isProgressExpected(uid));
  return { ref: refOf(after), uid, before: was, after: is, statusBefore, statusAfter, isRegression };
}

const FAILING: readonly ObjectState[] = ["Degraded", "Failed"];
const FINE: readonly ObjectState[] = ["Ready", "Deleting", "Paused"];

function isWorse(before: ObjectState | undefined, after: ObjectState, isProgressExpected: boolean): boolean {
  if (FAILING.includes(after)) return before === undefined || !FAILING.includes(before);
  if (before !== "Ready" || FINE.includes(after)) return false;
  return !(after === "Progressing" && isProgressExpected);
}

/** Returns the state of an object that an operator of levelset reconciles. */
export function stateOf(object: KubeObject): ObjectState {
  return objectState(object, { hasStatus: true, reportsReady: true });
}

function reportedState(object: KubeObject): ReportedState {
  // The engine writes the conditions of its own kinds.
  const { status } = object as { readonly status?: { readonly conditions?: readonly Condition[] } };
  const ready = findCondition(status?.conditions ?? [], READY);
  const { status: value = "Unknown", reason = "", message = "" } = ready ?? {};
  return { state: stateOf(object), status: value, reason, message };
}

/** Returns the status without times and generations, which change with every report. */
function statusOf(object: KubeObject | undefined): JsonObject {
  const { status } = (object ?? {}) as { readonly status?: JsonObject };
  const { observedGeneration: _generation, conditions, ...rest } = status ?? {};
  if (!Array.isArray(conditions)) return rest;
  const timeless = (conditions as readonly JsonObject[]).map((condition) => {
    if (!isJsonObject(condition)) return condition;
    const { lastTransitionTime: _time, observedGeneration: _of, ...stated } = condition;
    return stated;
  });
  return { ...rest, conditions: timeless };
}
