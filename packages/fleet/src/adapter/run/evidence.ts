import type { JsonObject } from "@levelset/core";
import { ExpressionError } from "../expression/index.ts";
import { progressOf, readinessIn } from "../situation/index.ts";
import type { Cause, Evidence, Situation } from "../situation/index.ts";
import type { TaskResource } from "../task/index.ts";
import { describeObject } from "../transport/index.ts";
import type { RunContext } from "./context.ts";
import type { PhaseError } from "./phase-error.ts";

/** What a run did before it reports. */
export interface Done {
  readonly error: PhaseError | undefined;
  /** Why nothing, or not everything, was done. */
  readonly skipReason: string | undefined;
  readonly isDeleting: boolean;
  /** Whether an earlier run has started the work for this generation. */
  readonly wasStarted: boolean;
}

/** What the report of a run may rely on: its failure, or the state of the resources that the task keeps. */
export function evidenceOf(resources: readonly TaskResource[], done: Done, run: RunContext): Evidence {
  const isStarted = done.wasStarted || run.applied.size > 0;
  if (done.isDeleting) return deletionEvidence(resources, done, run);
  try {
    const progress = resources.map((resource) => resourceProgress(resource, run)).find((cause) => cause !== undefined);
    const situation = situationOf(resources, done, progress, run);
    return { situation, state: { isStarted }, ...limits(done.error, situation, progress) };
  } catch (failed) {
    if (!(failed instanceof ExpressionError)) throw failed;
    const situation: Situation = { kind: "unjudged", reason: "ExpressionFailed", message: failed.message };
    return { situation, state: { isStarted }, progress: undefined, refusal: undefined };
  }
}

/** What a computed condition must not contradict: a failure of the run itself, or a resource in progress. */
function limits(
  error: PhaseError | undefined,
  situation: Situation,
  progress: Cause | undefined,
): Pick<Evidence, "progress" | "refusal"> {
  if (error === undefined || situation.kind === "reached") return { progress, refusal: undefined };
  return {
    progress: situation.kind === "progressing" ? situation : progress,
    refusal: situation.kind === "failed" ? situation : undefined,
  };
}

/** In a deletion: finalized once everything was looked for, and nothing is left. */
function deletionEvidence(
  resources: readonly TaskResource[],
  { error, skipReason, wasStarted }: Done,
  run: RunContext,
): Evidence {
  const left = resources.find(({ name }) => run.resources[name] !== undefined);
  const situation = failure(error) ?? skipped(skipReason) ?? (left === undefined ? REACHED : deleting(left, run));
  const deletion = { isFinalized: situation.kind === "reached" };
  const state = { isStarted: wasStarted || situation.kind === "reached", deletion };
  return { situation, state, progress: undefined, refusal: undefined };
}

const REACHED: Situation = { kind: "reached" };

function situationOf(
  resources: readonly TaskResource[],
  { error, skipReason }: Done,
  progress: Cause | undefined,
  run: RunContext,
): Situation {
  const early = failure(error) ?? skipped(skipReason);
  if (early !== undefined) return early;
  if (progress !== undefined) return { kind: "progressing", ...progress };
  const open = resources.map((resource) => openSituation(resource, run)).filter((one) => one !== undefined);
  return open.find(({ kind }) => kind === "failed") ?? open[0] ?? REACHED;
}

function skipped(message: string | undefined): Situation | undefined {
  return message === undefined ? undefined : { kind: "waiting", reason: "PreconditionsNotMet", message };
}

function failure(error: PhaseError | undefined): Situation | undefined {
  if (error === undefined) return undefined;
  const { means: kind, reason, phase, step, message } = error;
  return { kind, reason: reason ?? REASONS[kind], message: `${phase}: ${step}: ${message}` };
}

const REASONS: Readonly<Record<PhaseError["means"], string>> = {
  progressing: "Progressing",
  failed: "Refused",
  unjudged: "ExecutionFailed",
};

function deleting({ name }: TaskResource, run: RunContext): Situation {
  return { kind: "progressing", reason: "Deleting", message: `${shown(name, run)} is still there` };
}

/** Why a resource that this run applied is in progress, by the configuration's own rule or by the general one. */
function resourceProgress({ name, transport, inProgress }: TaskResource, run: RunContext): Cause | undefined {
  const live = run.resources[name];
  if (live === undefined || !run.applied.has(name)) return undefined;
  const words = (message: string): Cause => ({ reason: "Progressing", message: `${shown(name, run)}: ${message}` });
  if (transport.kind === "http") return live["inProgress"] === true ? words("in progress") : undefined;
  if (inProgress !== undefined) {
    const isInProgress = inProgress.holds({ ...run.known.json, object: live });
    return isInProgress ? words(`${inProgress.text} is true`) : undefined;
  }
  const message = progressOf(live);
  return message === undefined ? undefined : words(message);
}

/** Why a resource that is not in progress has not reached its goal. Only conditions that a configuration leaves out depend on it. */
function openSituation({ name, transport, inProgress }: TaskResource, run: RunContext): Situation | undefined {
  const live = run.resources[name];
  if (live === undefined) return { kind: "progressing", reason: "Progressing", message: `${name} is not there yet` };
  const readiness = transport.kind === "http" ? undefined : readinessIn(live);
  // A configuration that says itself what in progress means takes everything else for reached, unless it has failed.
  if (readiness === undefined || readiness.kind === "ready") return undefined;
  const message = `${shown(name, run)}: ${readiness.message}`;
  if (readiness.kind === "failed") return { kind: "failed", reason: readiness.reason, message };
  return inProgress === undefined ? { kind: "progressing", reason: "Progressing", message } : undefined;
}

/** A resource in messages: kind, namespace and name of its object; its own name where there is none. */
function shown(name: string, { resources }: RunContext): string {
  const live: JsonObject | undefined = resources[name];
  return live?.["kind"] === undefined ? name : describeObject(live);
}
