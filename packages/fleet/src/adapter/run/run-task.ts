/**
 * One run of a task for one pulse: params, preconditions, resources, post. Whatever happens in the first three is reported by the last one, which is
 * therefore always run, except when there is nobody to report to: the params are not known, or the API no longer knows the resource.
 */
import { isJsonObject, storableText } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { AdapterTask } from "../task/index.ts";
import { RunContext } from "./context.ts";
import type { RunWorld } from "./context.ts";
import { Known } from "./known.ts";
import { evidenceOf } from "./evidence.ts";
import { findParams } from "./params.ts";
import { PhaseError } from "./phase-error.ts";
import { report } from "./post.ts";
import { checkPreconditions } from "./preconditions.ts";
import { actOnResources } from "./resources.ts";

/** What became of a run. */
export interface RunOutcome {
  readonly status: "success" | "failed" | "skipped";
  /** What failed, in the order it did. */
  readonly errors: readonly PhaseError[];
  /** Whether trying again may help: the report could not be sent, or the params not be found out. */
  readonly isRetryable: boolean;
  readonly skipReason: string | undefined;
  /** The live objects after the run, by the name of the resource. */
  readonly resources: Readonly<Record<string, JsonObject>>;
  readonly trace: JsonObject;
  /** The generation for which work is started; undefined if none is, or it is not known. */
  readonly started?: number | undefined;
}

/** A pulse and who answers it. */
export interface RunInput {
  readonly task: AdapterTask;
  /** The data of the pulse. */
  readonly event: JsonValue;
  readonly adapter: { readonly name: string; readonly version: string };
  /** Present if no pulse but a change of what the adapter applied asks for this run. */
  readonly trigger?: "change" | undefined;
  /** Whether an earlier run has started the work for a generation, as far as the adapter remembers. */
  readonly wasStarted?: (generation: number) => boolean;
  /** The adapter's configuration, without anything secret. */
  readonly config: JsonObject;
  readonly signal: AbortSignal;
}

/** What post-actions know of the run. */
interface Execution {
  readonly error: PhaseError | undefined;
  readonly skipReason: string | undefined;
  readonly resourceErrors: ReadonlyMap<string, PhaseError>;
}

const NOT_THERE = "the resource is not there any more";

/** Runs a task once. Rejects only when the signal aborts. */
export async function runTask(input: RunInput, world: RunWorld): Promise<RunOutcome> {
  const { task, event, adapter, trigger, config } = input;
  const about = { ...adapter, ...(trigger === undefined ? {} : { trigger }) };
  const known = new Known({ event, adapter: about, config, env: { ...world.env }, resources: {} });
  const run = new RunContext(world, known, event, input.signal);
  try {
    await findParams(task.params, run);
  } catch (error) {
    const isGone = error instanceof PhaseError && error.isNotFound;
    return isGone ? ended(run, [], NOT_THERE) : ended(run, failureOf(error, run), undefined);
  }
  const execution = await execute(task, run);
  // In the resources phase it is the API of a resource that does not know something.
  if (execution.error?.phase === "preconditions" && execution.error.isNotFound) return ended(run, [], NOT_THERE);
  known.set("adapter", { ...about, ...described(execution) });
  const generation = generationIn(known);
  const wasStarted = generation !== undefined && input.wasStarted?.(generation) === true;
  const done = { ...execution, isDeleting: isBeingDeleted(known), wasStarted };
  const evidence = evidenceOf(task.resources, done, run);
  const started = evidence.state.isStarted ? generation : undefined;
  const errors = errorsOf(execution);
  for (const { phase, step, message } of errors) run.trace.errors.push({ phase, step, message });
  try {
    await report(task, run, evidence);
  } catch (error) {
    return { ...ended(run, [...errors, ...failureOf(error, run)], execution.skipReason), started };
  }
  return { ...ended(run, errors, execution.skipReason), started };
}

async function execute({ preconditions, resources }: AdapterTask, run: RunContext): Promise<Execution> {
  const none: ReadonlyMap<string, PhaseError> = new Map();
  try {
    const unmet = await checkPreconditions(preconditions, run);
    if (unmet !== undefined) {
      return { error: undefined, skipReason: run.secrets.withoutIn(unmet), resourceErrors: none };
    }
    const { isSkipped, errors } = await actOnResources(resources, run, isBeingDeleted(run.known));
    const skipReason = isSkipped ? "create.when of a resource does not hold" : undefined;
    const resourceErrors = new Map([...errors].map(([name, error]) => [name, tellable(error, run)]));
    return { error: resourceErrors.values().next().value, skipReason, resourceErrors };
  } catch (error) {
    if (error instanceof PhaseError) {
      return { error: tellable(error, run), skipReason: undefined, resourceErrors: none };
    }
    throw error;
  }
}

/** A failure as it may be logged and reported. */
function tellable(error: PhaseError, { secrets }: RunContext): PhaseError {
  const { phase, step, message, isTransient, isNotFound, reason, means } = error;
  const known = { isTransient, isNotFound, reason, means };
  return new PhaseError(phase, step, storableText(secrets.withoutIn(message)), known);
}

/** Whether anything that is known is the very resource of the pulse, and being deleted. */
function isBeingDeleted(known: Known): boolean {
  return subjectsIn(known).some((subject) => typeof subject["deleted_time"] === "string");
}

/** The generation of the resource of the pulse: as the API says, else as the pulse does. */
function generationIn(known: Known): number | undefined {
  const generations = [...subjectsIn(known), known.get("event")].flatMap((subject) => {
    const generation = isJsonObject(subject) ? subject["generation"] : undefined;
    return typeof generation === "number" ? [generation] : [];
  });
  return generations[0];
}

/** Everything that is known and is the resource of the pulse, as the API sent it. */
function subjectsIn(known: Known): readonly JsonObject[] {
  const id = known.find(["event", "id"]);
  const { event: _event, ...values } = known.json;
  return Object.values(values).flatMap((value) => (isJsonObject(value) && value["id"] === id ? [value] : []));
}

/** Each once: the first failure of a deletion is the failure of the execution too. */
function errorsOf({ error, resourceErrors }: Execution): readonly PhaseError[] {
  return [...new Set([...(error === undefined ? [] : [error]), ...resourceErrors.values()])];
}

/** `adapter` in templates and expressions. */
function described({ error, skipReason, resourceErrors }: Execution): JsonObject {
  return {
    executionStatus: error === undefined ? "success" : "failed",
    resourcesSkipped: skipReason !== undefined,
    skipReason: skipReason ?? "",
    errorReason: error === undefined ? "" : (error.reason ?? `${error.phase}: ${error.step}`),
    errorMessage: error?.message ?? "",
    // Not there rather than null: what asks for parts of it that may be absent then gets what it says for that.
    ...(error === undefined ? {} : { executionError: executionError(error) }),
    resourceErrors: Object.fromEntries([...resourceErrors].map(([name, { message }]) => [name, message])),
  };
}

function executionError({ phase, step, message, reason }: PhaseError): JsonObject {
  return { phase, step, message, ...(reason === undefined ? {} : { reason }) };
}

function failureOf(error: unknown, run: RunContext): readonly PhaseError[] {
  if (!(error instanceof PhaseError)) throw error;
  const failure = tellable(error, run);
  run.trace.errors.push({ phase: failure.phase, step: failure.step, message: failure.message });
  return [failure];
}

function ended(run: RunContext, errors: readonly PhaseError[], skipReason: string | undefined): RunOutcome {
  const status = errors.length > 0 ? "failed" : skipReason === undefined ? "success" : "skipped";
  const { event: _event, config: _config, env: _env, resources: _live, ...values } = run.known.json;
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
