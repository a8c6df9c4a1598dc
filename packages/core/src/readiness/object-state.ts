import { decideState, findCondition, isReady, READY } from "../condition/index.ts";
import type { Condition, ObjectState } from "../condition/index.ts";
import { isPaused, isSuspended } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { customResourceReadiness } from "./custom-resource.ts";
import { readinessOf } from "./readiness-of.ts";
import { findRawCondition, staleness, stringField } from "../readiness-rule/index.ts";
import { isUnobserved } from "./unobserved.ts";

/** Options of {@link objectState}. */
export interface ObjectStateOptions {
  /** Whether the kind has a status: an object of such a kind without a status has not been observed. */
  readonly hasStatus: boolean;
  /** Whether the controller of the kind always reports Ready, as operators of levelset do. Default: no. */
  readonly reportsReady?: boolean;
}

/** Returns the state of an object of any kind, from its deletion, pause, generation and conditions. */
export function objectState(object: KubeObject, { hasStatus, reportsReady = false }: ObjectStateOptions): ObjectState {
  const { kind: readiness } = readinessOf(object);
  const { status } = object as { readonly status?: unknown };
  const lacksReady = reportsReady && readiness === "ready" && status !== undefined && !isReady(object);
  return decideState({
    readiness,
    isPaused: isPaused(object) || isSuspended(object),
    isReported: !isUnobserved(object, hasStatus) && !lacksReady,
    ready: currentReady(object),
  });
}

/** Returns the state that the conditions of the latest generation stand for, in a status that a run has computed. */
export function stateOfConditions(conditions: readonly Condition[]): ObjectState {
  const ready = findCondition(conditions, READY);
  const { kind } = customResourceReadiness({ ...NO_OBJECT, status: { conditions } } as KubeObject);
  const readiness = ready?.reason === "Deleting" ? "deleting" : kind;
  return decideState({ readiness, isReported: ready !== undefined, ready });
}

/** An object of unknown kind and generation. */
const NO_OBJECT: KubeObject = { apiVersion: "", kind: "", metadata: { name: "", uid: "", resourceVersion: "" } };

/** Returns the Ready condition unless it is about another generation. Objects of other writers may have any status. */
function currentReady(object: KubeObject): Pick<Condition, "status" | "severity" | "reason"> | undefined {
  const ready = findRawCondition(object, READY);
  if (ready === undefined || staleness(object, READY) !== undefined) return undefined;
  const severity = stringField(ready, "severity");
  return {
    status: ready["status"] === "False" ? "False" : ready["status"] === "True" ? "True" : "Unknown",
    ...(severity === "Error" || severity === "Warning" || severity === "Info" ? { severity } : {}),
    reason: stringField(ready, "reason"),
  };
}
