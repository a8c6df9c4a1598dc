import {
  describeGeneration,
  generationState,
  isUnobserved,
  observedGenerationOf,
  parseApiVersion,
  readinessOf,
  unreachable,
} from "@levelset/core";
import type { Kind, KubeObject, Readiness } from "@levelset/core";

/** What to wait for. */
export type WaitGoal = "ready" | "available" | "deleted";

/** The state of an object, in the words that every view of it uses. */
export type ObjectState = "Ready" | "Progressing" | "Degraded" | "Failed" | "Deleting" | "Unknown";

/** How far an object is. */
export interface WaitProgress<O extends KubeObject> {
  /** The newest version; undefined if the object does not exist. */
  readonly object: O | undefined;
  readonly generation?: number | undefined;
  /** The generation that its status is about. */
  readonly observedGeneration?: number | undefined;
  readonly state: ObjectState;
  /** One word for programs. */
  readonly reason?: string | undefined;
  readonly message: string;
}

/** Whether a wait goes on, and the state that decides it. */
export interface Verdict<O extends KubeObject> {
  readonly kind: "waiting" | "reached" | "failed" | "deleted" | "no-condition";
  readonly progress: WaitProgress<O>;
}

/** What is known of the object that is waited for. */
export interface Sighting<O extends KubeObject> {
  readonly object: O | undefined;
  /** The last version of the incarnation that was waited for, if that is gone. */
  readonly deleted: O | undefined;
  /** Whether the incarnation that was waited for is gone. */
  readonly isDeleted: boolean;
}

/** Decides whether what is known of an object is what is waited for. */
export function judge<O extends KubeObject>(
  sighting: Sighting<O>,
  kind: Pick<Kind, "hasStatus" | "schema">,
  { goal, generation }: { readonly goal: WaitGoal; readonly generation: number | undefined },
): Verdict<O> {
  const { object, isDeleted, deleted } = sighting;
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
  // Kubernetes cannot undelete an object.
  if (readiness.kind === "deleting") return { kind: "deleted", progress };
  const latest = object.metadata.generation;
  if (generation !== undefined && latest !== undefined && latest < generation) {
    const message = `read generation ${latest}, waiting for generation ${generation}`;
    return { kind: "waiting", progress: { ...progress, state: "Progressing", reason: undefined, message } };
  }
  return goal === "available" ? judgeAvailable(object, readiness, progress) : judgeReady(readiness, progress);
}

function judgeReady<O extends KubeObject>(readiness: Readiness, progress: WaitProgress<O>): Verdict<O> {
  if (readiness.kind === "ready") return { kind: "reached", progress };
  return { kind: readiness.kind === "failed" ? "failed" : "waiting", progress };
}

function judgeAvailable<O extends KubeObject>(object: O, readiness: Readiness, progress: WaitProgress<O>): Verdict<O> {
  const conditions = conditionsOf(object);
  const available = conditions.find(({ type }) => type === "Available");
  if (available === undefined) {
    if (readiness.kind !== "ready") return judgeReady(readiness, progress);
    const there = conditions.map(({ type }) => type).join(", ");
    const message = `has no condition Available${there === "" ? "" : `; its conditions are ${there}`}`;
    return { kind: "no-condition", progress: { ...progress, message } };
  }
  const state = generationState(object, undefined, "Available");
  const isCurrent = state === "current" || state === "unknown";
  if (available.status === "True" && isCurrent) return { kind: "reached", progress };
  if (readiness.kind !== "ready") return judgeReady(readiness, progress);
  const message = isCurrent
    ? available.message || available.reason
    : describeGeneration(object, undefined, "Available");
  return { kind: "waiting", progress: { ...progress, state: "Progressing", reason: available.reason, message } };
}

/** What the status of an object reports. */
interface Report {
  readonly readiness: Readiness;
  /** Whether a controller has reported anything. */
  readonly isObserved: boolean;
}

/**
 * What an object whose kind is known reports. It is not ready if its kind is a custom one and no controller has written its status; if the
 * status does not say its generation though the kind has a field for it; or if the kind has the conditions of the engine, without Ready.
 */
function reportOf(object: KubeObject, kind: Pick<Kind, "hasStatus" | "schema">): Report {
  const readiness = readinessOf(object);
  const isObserved = !kind.hasStatus || Object.keys(statusOf(object)).length > 0;
  if (readiness.kind !== "ready") return { readiness, isObserved };
  if (isUnobserved(object, kind.hasStatus)) return unobserved("no controller has observed it yet");
  if (!parseApiVersion(object.apiVersion).group.includes(".")) return { readiness, isObserved };
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
    state: isObserved ? stateOf(readiness, current?.severity) : "Unknown",
    reason: readiness.kind === "failed" ? readiness.reason : isObserved ? current?.reason || undefined : undefined,
    message: readiness.message,
  };
}

function stateOf(readiness: Readiness, severity: string | undefined): ObjectState {
  switch (readiness.kind) {
    case "ready":
      return "Ready";
    case "failed":
      return "Failed";
    case "deleting":
      return "Deleting";
    case "progressing":
      return severity === "Warning" ? "Degraded" : "Progressing";
    default:
      return unreachable(readiness);
  }
}

/** A condition as any writer may have left it: every field that is no text is empty. */
interface LooseCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly severity: string;
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
    severity: text("severity"),
  };
}

function statusOf(object: KubeObject): Readonly<Record<string, unknown>> {
  return recordOf((object as { readonly status?: unknown }).status);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  // Any object that is not null can be read by name.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
