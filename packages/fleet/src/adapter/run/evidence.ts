import type { JsonObject } from "@levelset/core";
import { ExpressionError } from "../expression/index.ts";
import { joinCauses, progressOf, readinessIn } from "../situation/index.ts";
import type { Cause, Evidence, FailureKind, Situation } from "../situation/index.ts";
import type { TaskResource } from "../task/index.ts";
import { describeObject } from "../transport/index.ts";
import type { RunContext } from "./run-context.ts";
import type { PhaseError } from "./phase-error.ts";

/** Results of a run before it reports. */
export interface Done {
  /** Failures in the order of occurrence. */
  readonly errors: readonly PhaseError[];
  /** Why the run was skipped, fully or in part. */
  readonly skipReason: string | undefined;
  readonly isDeleting: boolean;
  /** Whether an earlier run started the work for this generation. */
  readonly wasStarted: boolean;
}

/** Returns the evidence for the report: the failure of the run, or the state of the task's resources. */
export function evidenceOf(resources: readonly TaskResource[], done: Done, run: RunContext): Evidence {
  const isStarted = done.wasStarted || run.applied.size > 0;
  if (done.isDeleting) return deletionEvidence(resources, done, run);
  try {
    const progress = resources.map((resource) => resourceProgress(resource, run)).find((cause) => cause !== undefined);
    const situation = situationOf(resources, done, progress, run);
    return { situation, state: { isStarted }, ...limits(done.errors, situation, progress) };
  } catch (failed) {
    if (!(failed instanceof ExpressionError)) throw failed;
    const situation: Situation = { kind: "undetermined", reason: "ExpressionFailed", message: failed.message };
    return { situation, state: { isStarted }, progress: undefined, refusal: undefined };
  }
}

/** What a computed condition must not contradict: a failure of the run, or a resource in progress. */
function limits(
  errors: readonly PhaseError[],
  situation: Situation,
  progress: Cause | undefined,
): Pick<Evidence, "progress" | "refusal"> {
  if (errors.length === 0 || situation.kind === "reached") return { progress, refusal: undefined };
  return {
    progress: situation.kind === "progressing" ? situation : progress,
    refusal: situation.kind === "failed" ? situation : undefined,
  };
}

/** During deletion: finalized once every resource was looked up and none exists. */
function deletionEvidence(
  resources: readonly TaskResource[],
  { errors, skipReason, wasStarted }: Done,
  run: RunContext,
): Evidence {
  const left = resources.find(({ name }) => run.resources[name] !== undefined);
  const situation = failure(errors) ?? skipped(skipReason) ?? (left === undefined ? REACHED : deleting(left, run));
  const deletion = { isFinalized: situation.kind === "reached" };
  const state = { isStarted: wasStarted || situation.kind === "reached", deletion };
  return { situation, state, progress: undefined, refusal: undefined };
}

const REACHED: Situation = { kind: "reached" };

function situationOf(
  resources: readonly TaskResource[],
  { errors, skipReason }: Done,
  progress: Cause | undefined,
  run: RunContext,
): Situation {
  const early = failure(errors) ?? skipped(skipReason);
  if (early !== undefined) return early;
  if (progress !== undefined) return { kind: "progressing", ...progress };
  const open = resources.flatMap((resource) => openSituation(resource, run) ?? []);
  return joinProblems(open.filter(({ kind }) => kind === "failed")) ?? open[0] ?? REACHED;
}

function skipped(message: string | undefined): Situation | undefined {
  return message === undefined ? undefined : { kind: "waiting", reason: "PreconditionsNotMet", message };
}

/** Returns what the first failure means, with the messages of all that mean the same. */
function failure(errors: readonly PhaseError[]): Situation | undefined {
  const problems = errors.map(({ means: kind, reason, phase, step, message }) => {
    return { kind, reason: reason ?? REASONS[kind], message: `${phase}: ${step}: ${message}` };
  });
  return joinProblems(problems.filter(({ kind }) => kind === problems[0]?.kind));
}

/** A failure of the run or of a resource. */
interface Problem extends Cause {
  readonly kind: FailureKind;
}

/** Returns the first of several equally severe problems with the messages of all; undefined if there are none. */
function joinProblems(problems: readonly Problem[]): Situation | undefined {
  const [first] = problems;
  return first && { ...first, message: joinCauses(problems.map(({ message }) => message)) };
}

const REASONS: Readonly<Record<PhaseError["means"], string>> = {
  progressing: "Progressing",
  failed: "Refused",
  undetermined: "ExecutionFailed",
};

function deleting({ name }: TaskResource, run: RunContext): Situation {
  return { kind: "progressing", reason: "Deleting", message: `${describeResource(name, run)} still exists` };
}

/** Returns why a resource applied by this run is in progress, by the configuration's rule or by the default rule. */
function resourceProgress({ name, transport, inProgress }: TaskResource, run: RunContext): Cause | undefined {
  const live = run.resources[name];
  if (live === undefined || !run.applied.has(name)) return undefined;
  const progressing = (message: string): Cause => ({
    reason: "Progressing",
    message: `${describeResource(name, run)}: ${message}`,
  });
  if (transport.kind === "http") return live["inProgress"] === true ? progressing("in progress") : undefined;
  if (inProgress !== undefined) {
    const isInProgress = inProgress.holds({ ...run.variables.json, object: live });
    return isInProgress ? progressing(`${inProgress.text} is true`) : undefined;
  }
  const message = progressOf(live);
  return message === undefined ? undefined : progressing(message);
}

/**
 * Returns why a resource that is not in progress has not reached its goal. Only conditions that the configuration
 * leaves out depend on it.
 */
function openSituation({ name, transport, inProgress }: TaskResource, run: RunContext): Problem | undefined {
  const live = run.resources[name];
  if (live === undefined) return { kind: "progressing", reason: "Progressing", message: `${name} does not exist yet` };
  const readiness = transport.kind === "http" ? undefined : readinessIn(live);
  // With its own in_progress rule, a resource that is not in progress counts as reached unless it failed.
  if (readiness === undefined || readiness.kind === "ready") return undefined;
  const message = `${describeResource(name, run)}: ${readiness.message}`;
  if (readiness.kind === "failed") return { kind: "failed", reason: readiness.reason, message };
  return inProgress === undefined ? { kind: "progressing", reason: "Progressing", message } : undefined;
}

/**
 * Describes a resource in messages: kind, namespace and name of its object, or the resource's own name if there is no
 * object.
 */
function describeResource(name: string, { resources }: RunContext): string {
  const live: JsonObject | undefined = resources[name];
  return live?.["kind"] === undefined ? name : describeObject(live);
}
