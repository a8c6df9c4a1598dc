import { describeGeneration, isBuiltIn, isRecord, isUnobserved, objectState } from "@levelset/core/internal";
import { generationState, observedGenerationOf, readinessOf } from "@levelset/core";
import type { Kind, KubeObject, ObjectState, Readiness } from "@levelset/core";

/** The goal of a wait. */
export type WaitGoal = "ready" | "available" | "deleted";

/** The progress of an object towards the goal. */
export interface WaitProgress<O extends KubeObject> {
  /** The newest version; undefined if the object does not exist. */
  readonly object: O | undefined;
  readonly generation?: number | undefined;
  /** The generation that its status is about. */
  readonly observedGeneration?: number | undefined;
  readonly state: ObjectState;
  /** Machine-readable reason. */
  readonly reason?: string | undefined;
  readonly message: string;
}

/** Whether a wait continues, and the progress that determines it. */
export interface Verdict<O extends KubeObject> {
  readonly kind: "waiting" | "reached" | "failed" | "deleted" | "no-condition";
  readonly progress: WaitProgress<O>;
}

/** The observed versions of the object. */
export interface ObservedObject<O extends KubeObject> {
  readonly object: O | undefined;
  /** The last version of the object, if it was deleted. */
  readonly deleted: O | undefined;
  /** Whether the object with the expected UID was deleted. */
  readonly isDeleted: boolean;
}

/** Returns whether an object has reached the goal, can still reach it, or cannot. */
export function evaluate<O extends KubeObject>(
  observed: ObservedObject<O>,
  kind: Pick<Kind, "hasStatus" | "schema">,
  { goal, generation }: { readonly goal: WaitGoal; readonly generation: number | undefined },
): Verdict<O> {
  const { object, isDeleted, deleted } = observed;
  if (isDeleted || (object === undefined && goal === "deleted")) {
    const progress: WaitProgress<O> = { object: deleted, state: "Unknown", message: "was deleted" };
    return { kind: goal === "deleted" ? "reached" : "deleted", progress };
  }
  if (object === undefined) {
    return { kind: "waiting", progress: { object, state: "Unknown", message: "does not exist yet" } };
  }
  const reported = reportOf(object, kind);
  const { readiness } = reported;
  const progress = progressOf(object, reported);
  if (goal === "deleted") {
    const message = readiness.kind === "deleting" ? readiness.message : "not being deleted";
    return { kind: "waiting", progress: { ...progress, message } };
  }
  // Kubernetes cannot undelete an object (docs: Finalizers).
  if (readiness.kind === "deleting") return { kind: "deleted", progress };
  const latest = object.metadata.generation;
  if (generation !== undefined && latest !== undefined && latest < generation) {
    const message = `read generation ${latest}, waiting for generation ${generation}`;
    return { kind: "waiting", progress: { ...progress, state: "Progressing", reason: undefined, message } };
  }
  return goal === "available" ? evaluateAvailable(object, readiness, progress) : evaluateReady(readiness, progress);
}

function evaluateReady<O extends KubeObject>(readiness: Readiness, progress: WaitProgress<O>): Verdict<O> {
  if (readiness.kind === "ready") return { kind: "reached", progress };
  return { kind: readiness.kind === "failed" ? "failed" : "waiting", progress };
}

function evaluateAvailable<O extends KubeObject>(
  object: O,
  readiness: Readiness,
  progress: WaitProgress<O>,
): Verdict<O> {
  const conditions = conditionsOf(object);
  const available = conditions.find(({ type }) => type === "Available");
  if (available === undefined) {
    if (readiness.kind !== "ready") return evaluateReady(readiness, progress);
    const there = conditions.map(({ type }) => type).join(", ");
    const message = `has no condition Available${there === "" ? "" : `; its conditions are ${there}`}`;
    return { kind: "no-condition", progress: { ...progress, message } };
  }
  const state = generationState(object, undefined, "Available");
  const isCurrent = state === "current" || state === "unknown";
  if (available.status === "True" && isCurrent) return { kind: "reached", progress };
  if (readiness.kind !== "ready") return evaluateReady(readiness, progress);
  const message = isCurrent
    ? available.message || available.reason
    : describeGeneration(object, undefined, "Available");
  return { kind: "waiting", progress: { ...progress, state: "Progressing", reason: available.reason, message } };
}

/** The reported status of an object. */
interface Report {
  readonly readiness: Readiness;
  /** Whether a controller has written the status. */
  readonly isObserved: boolean;
}

/**
 * What an object whose kind is known reports. It is not ready if its kind is a custom one and no controller has written
 * its status; if the status does not say its generation though the kind has a field for it; or if the kind has the
 * conditions of the engine, without Ready.
 */
function reportOf(object: KubeObject, kind: Pick<Kind, "hasStatus" | "schema">): Report {
  const readiness = readinessOf(object);
  if (isRecord(object)) return { readiness, isObserved: true };
  const isObserved = !kind.hasStatus || Object.keys(statusOf(object)).length > 0;
  if (readiness.kind !== "ready") return { readiness, isObserved };
  if (isUnobserved(object, kind.hasStatus)) return unobserved("no controller has observed it yet");
  if (isBuiltIn(object)) return { readiness, isObserved };
  const fields = kind.schema.properties?.["status"]?.properties ?? {};
  const isSilent = object.metadata.generation !== undefined && generationState(object) === "unknown";
  if (fields["observedGeneration"] !== undefined && isSilent) return unobserved(describeGeneration(object));
  const isOurs = fields["conditions"]?.items?.properties?.["severity"] !== undefined;
  const isReported = conditionsOf(object).some(({ type }) => type === "Ready");
  return isOurs && !isReported ? unobserved("Ready is not reported yet") : { readiness, isObserved };
}

function unobserved(message: string): Report {
  return { readiness: { kind: "progressing", message }, isObserved: false };
}

function progressOf<O extends KubeObject>(object: O, { readiness, isObserved }: Report): WaitProgress<O> {
  const { generation } = object.metadata;
  const observedGeneration = observedGenerationOf(object);
  const ready = conditionsOf(object).find(({ type }) => type === "Ready");
  const current = generation === undefined || generationState(object) === "current" ? ready : undefined;
  return {
    object,
    ...(generation === undefined ? {} : { generation }),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    state: isObserved ? stateOf(object, readiness) : "Unknown",
    reason: readiness.kind === "failed" ? readiness.reason : isObserved ? current?.reason || undefined : undefined,
    message: readiness.message,
  };
}

/** Returns the state of an observed object. One that has reached or missed its goal is not shown as Paused. */
function stateOf(object: KubeObject, { kind }: Readiness): ObjectState {
  if (kind === "ready") return "Ready";
  return kind === "failed" ? "Failed" : objectState(object, { hasStatus: true });
}

/** A condition from an untrusted writer: fields that are not strings are empty. */
interface LooseCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

function conditionsOf(object: KubeObject): readonly LooseCondition[] {
  const { conditions } = statusOf(object);
  return Array.isArray(conditions) ? conditions.map((one: unknown) => looseCondition(recordOf(one))) : [];
}

function looseCondition(fields: Readonly<Record<string, unknown>>): LooseCondition {
  const text = (name: string): string => (typeof fields[name] === "string" ? fields[name] : "");
  return {
    type: text("type"),
    status: text("status"),
    reason: text("reason"),
    message: text("message"),
  };
}

function statusOf(object: KubeObject): Readonly<Record<string, unknown>> {
  return recordOf((object as { readonly status?: unknown }).status);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  // Any object that is not null can be read by name.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
