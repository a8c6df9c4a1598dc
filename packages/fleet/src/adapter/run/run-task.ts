/**
 * One run of a task for one pulse: params, preconditions, resources, post. Post reports the outcome of the first
 * three, so it always runs, unless a report is impossible: the params are not known, or the API no longer knows the
 * resource.
 */
import { isJsonObject } from "@levelset/core";
import { storableText } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { AdapterTask } from "../task/index.ts";
import { RunContext } from "./run-context.ts";
import type { RunWorld } from "./run-context.ts";
import { Variables } from "./variables.ts";
import { evidenceOf } from "./evidence.ts";
import { resolveParams } from "./params.ts";
import { PhaseError } from "./phase-error.ts";
import { runPostActions } from "./post-actions.ts";
import { checkPreconditions } from "./preconditions.ts";
import { reconcileResources } from "./reconcile-resources.ts";

/** Result of a run. */
export interface TaskOutcome {
  readonly status: "success" | "failed" | "skipped";
  /** Failures in the order of occurrence. */
  readonly errors: readonly PhaseError[];
  /** Whether a retry may help: the report could not be sent, or the params could not be resolved. */
  readonly isRetryable: boolean;
  readonly skipReason: string | undefined;
  /** Live objects after the run, by resource name. */
  readonly resources: Readonly<Record<string, JsonObject>>;
  readonly trace: JsonObject;
  /** Generation for which work was started; undefined if none was, or if the generation is unknown. */
  readonly started?: number | undefined;
}

/** Input of a run: the pulse and the adapter that handles it. */
export interface TaskInput {
  readonly task: AdapterTask;
  /** Data of the pulse. */
  readonly event: JsonValue;
  readonly adapter: { readonly name: string; readonly version: string };
  /** Present if the run was triggered by a change of an applied object, not by a pulse. */
  readonly trigger?: "change" | undefined;
  /** Whether an earlier run of this process started the work for a generation. */
  readonly wasStarted?: (generation: number) => boolean;
  /** The adapter's configuration without secrets. */
  readonly config: JsonObject;
  readonly signal: AbortSignal;
}

/** Result of the first three phases, as post-actions see it. */
interface Execution {
  readonly error: PhaseError | undefined;
  readonly skipReason: string | undefined;
  readonly resourceErrors: ReadonlyMap<string, PhaseError>;
}

const RESOURCE_GONE = "the resource no longer exists";

/** Runs a task once. Rejects only when the signal aborts. */
export async function runTask(input: TaskInput, world: RunWorld): Promise<TaskOutcome> {
  const { task, event, adapter, trigger, config } = input;
  const about = { ...adapter, ...(trigger === undefined ? {} : { trigger }) };
  const known = new Variables({ event, adapter: about, config, env: { ...world.env }, resources: {} });
  const run = new RunContext(world, known, event, input.signal);
  try {
    await resolveParams(task.params, run);
  } catch (error) {
    const isGone = error instanceof PhaseError && error.isNotFound;
    return isGone ? ended(run, [], RESOURCE_GONE) : ended(run, failureOf(error, run), undefined);
  }
  const execution = await execute(task, run);
  // In the resources phase, 404 comes from the API of a task resource.
  if (execution.error?.phase === "preconditions" && execution.error.isNotFound) return ended(run, [], RESOURCE_GONE);
  known.set("adapter", { ...about, ...described(execution) });
  const generation = generationIn(known);
  const wasStarted = generation !== undefined && input.wasStarted?.(generation) === true;
  const errors = errorsOf(execution);
  const done = { errors, skipReason: execution.skipReason, isDeleting: isBeingDeleted(known), wasStarted };
  const evidence = evidenceOf(task.resources, done, run);
  const started = evidence.state.isStarted ? generation : undefined;
  for (const { phase, step, message } of errors) run.trace.errors.push({ phase, step, message });
  const unreported = await runPostActions(task, run, evidence);
  const failures = [...errors, ...unreported.flatMap((error) => failureOf(error, run))];
  return { ...ended(run, failures, execution.skipReason), started };
}

async function execute({ preconditions, resources }: AdapterTask, run: RunContext): Promise<Execution> {
  const none: ReadonlyMap<string, PhaseError> = new Map();
  try {
    const unmet = await checkPreconditions(preconditions, run);
    if (unmet !== undefined) {
      return { error: undefined, skipReason: run.secrets.redactText(unmet), resourceErrors: none };
    }
    const { isSkipped, errors } = await reconcileResources(resources, run, isBeingDeleted(run.variables));
    const skipReason = isSkipped ? "create.when of a resource is false" : undefined;
    const resourceErrors = new Map([...errors].map(([name, error]) => [name, redacted(error, run)]));
    return { error: resourceErrors.values().next().value, skipReason, resourceErrors };
  } catch (error) {
    if (error instanceof PhaseError) {
      return { error: redacted(error, run), skipReason: undefined, resourceErrors: none };
    }
    throw error;
  }
}

/** Redacts secrets from a failure before it is logged or reported. */
function redacted(error: PhaseError, { secrets }: RunContext): PhaseError {
  const { phase, step, message, isTransient, isNotFound, reason, means } = error;
  const known = { isTransient, isNotFound, reason, means };
  return new PhaseError(phase, step, storableText(secrets.redactText(message)), known);
}

/** Returns whether a variable holds the resource of the pulse and it is being deleted. */
function isBeingDeleted(known: Variables): boolean {
  return subjectsIn(known).some((subject) => typeof subject["deleted_time"] === "string");
}

/** Returns the generation of the resource of the pulse: from the API if known, else from the pulse. */
function generationIn(known: Variables): number | undefined {
  const generations = [...subjectsIn(known), known.get("event")].flatMap((subject) => {
    const generation = isJsonObject(subject) ? subject["generation"] : undefined;
    return typeof generation === "number" ? [generation] : [];
  });
  return generations[0];
}

/** Returns every variable that holds the resource of the pulse as sent by the API. */
function subjectsIn(known: Variables): readonly JsonObject[] {
  const id = known.find(["event", "id"]);
  const { event: _event, ...values } = known.json;
  return Object.values(values).flatMap((value) => (isJsonObject(value) && value["id"] === id ? [value] : []));
}

/** Each error once: the first failed deletion is also the error of the execution. */
function errorsOf({ error, resourceErrors }: Execution): readonly PhaseError[] {
  return [...new Set([...(error === undefined ? [] : [error]), ...resourceErrors.values()])];
}

/** The variable `adapter` in templates and expressions. */
function described({ error, skipReason, resourceErrors }: Execution): JsonObject {
  return {
    executionStatus: error === undefined ? "success" : "failed",
    resourcesSkipped: skipReason !== undefined,
    skipReason: skipReason ?? "",
    errorReason: error === undefined ? "" : (error.reason ?? `${error.phase}: ${error.step}`),
    errorMessage: error?.message ?? "",
    // Omitted rather than null, so that optional field selection on it yields its default.
    ...(error === undefined ? {} : { executionError: executionError(error) }),
    resourceErrors: Object.fromEntries([...resourceErrors].map(([name, { message }]) => [name, message])),
  };
}

function executionError({ phase, step, message, reason }: PhaseError): JsonObject {
  return { phase, step, message, ...(reason === undefined ? {} : { reason }) };
}

function failureOf(error: unknown, run: RunContext): readonly PhaseError[] {
  if (!(error instanceof PhaseError)) throw error;
  const failure = redacted(error, run);
  run.trace.errors.push({ phase: failure.phase, step: failure.step, message: failure.message });
  return [failure];
}

function ended(run: RunContext, errors: readonly PhaseError[], skipReason: string | undefined): TaskOutcome {
  const status = errors.length > 0 ? "failed" : skipReason === undefined ? "success" : "skipped";
  const { event: _event, config: _config, env: _env, resources: _live, ...values } = run.variables.json;
  return {
    status,
    errors,
    isRetryable: errors.some(
      ({ phase, isTransient }) => isTransient && (phase === "params" || phase === "post_actions"),
    ),
    skipReason,
    resources: run.resources,
    trace: run.trace.json(status, values, run.resources),
  };
}
