import { isJsonObject } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import { ExpressionError } from "../expression/index.ts";
import { completedConditions, joinCauses } from "../situation/index.ts";
import type { Evidence } from "../situation/index.ts";
import type { AdapterTask, Payload, PostAction, TemplateTree } from "../task/index.ts";
import { TemplateError } from "../template/index.ts";
import type { RunContext } from "./run-context.ts";
import { PhaseError } from "./phase-error.ts";

/**
 * Builds the payloads and runs the post-actions in order, up to the first failure. A payload whose `when` is false is
 * not built, and an action that uses it is skipped. If the API does not know the resource any more, no report is
 * needed. Resolves to all failures.
 */
export async function runPostActions(
  { payloads, actions }: AdapterTask,
  run: RunContext,
  evidence: Evidence,
): Promise<readonly PhaseError[]> {
  const failures: PhaseError[] = [];
  try {
    const unbuilt = buildPayloads(payloads, run, evidence, failures);
    await runActions(actions, run, unbuilt);
  } catch (error) {
    if (!(error instanceof PhaseError)) throw error;
    failures.push(error);
  }
  return failures;
}

/** Builds the payloads; those that are not sent completely add a failure. Returns the names of payloads not built. */
function buildPayloads(
  payloads: AdapterTask["payloads"],
  run: RunContext,
  evidence: Evidence,
  failures: PhaseError[],
): ReadonlySet<string> {
  const unbuilt = new Set<string>();
  for (const payload of payloads) {
    const { name } = payload;
    const built = convertErrors(name, () => buildPayload(payload, run, evidence));
    if (built === undefined) unbuilt.add(name);
    else run.variables.set(name, stringifyJson(built.value));
    if (built?.failure !== undefined) failures.push(built.failure);
  }
  return unbuilt;
}

async function runActions(
  actions: AdapterTask["actions"],
  run: RunContext,
  unbuilt: ReadonlySet<string>,
): Promise<void> {
  for (const action of actions) {
    const why = convertErrors(action.name, () => reasonToSkip(action, unbuilt, run));
    if (why !== undefined) {
      run.trace.postActions.push({ name: action.name, status: "skipped", detail: why });
      continue;
    }
    await act(action, run);
  }
}

/** A built payload. After a failure it contains only the parts that could be built. */
interface Built {
  readonly value: JsonValue;
  readonly failure?: PhaseError;
}

/**
 * Builds a payload; returns undefined if its `when` is false. A report also gets the conditions derived from the run.
 */
function buildPayload({ name, when, build }: Payload, run: RunContext, evidence: Evidence): Built | undefined {
  if (when?.holds(run.variables.json) === false) return undefined;
  try {
    const value = run.renderer.tree(build);
    return { value: isReport(value) ? withConditions(value, evidence) : value };
  } catch (error) {
    if (!isMistake(error)) throw error;
    const identity = identityIn(build, run);
    if (identity === undefined) throw error;
    const message = run.secrets.redactText(error.message);
    const messages = [...earlierFailure(evidence), `post: ${name}: ${message}`];
    const situation = { kind: "undetermined", reason: "ExpressionFailed", message: joinCauses(messages) } as const;
    const value = withConditions(identity, { ...evidence, situation });
    return { value, failure: new PhaseError("post_actions", name, error.message) };
  }
}

/** Returns the message of what failed before the post-actions, which the failure of a payload must not hide. */
function earlierFailure({ situation }: Evidence): readonly string[] {
  return situation.kind === "failed" || situation.kind === "undetermined" ? [situation.message] : [];
}

/** Builds only the identifying fields of a report: enough to report that the rest could not be computed. */
function identityIn(build: TemplateTree, run: RunContext): JsonObject | undefined {
  if (build.kind !== "map") return undefined;
  try {
    const { renderer } = run;
    const entries = build.entries.filter(([key]) => IDENTITY.has(renderer.text(key)));
    const identity = renderer.tree({ kind: "map", entries });
    return isReport(identity) ? identity : undefined;
  } catch (error) {
    if (isMistake(error)) return undefined;
    throw error;
  }
}

const IDENTITY: ReadonlySet<string> = new Set(["adapter", "observed_generation", "observed_time"]);

/** Returns whether a payload is a report for the fleet API. */
function isReport(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && typeof value["adapter"] === "string" && value["observed_generation"] !== undefined;
}

function withConditions(report: JsonObject, evidence: Evidence): JsonObject {
  return { ...report, conditions: completedConditions(report["conditions"], evidence) };
}

async function act({ name, log, call }: PostAction, run: RunContext): Promise<void> {
  try {
    convertErrors(name, () => run.log(log, name));
    if (call !== undefined) await run.call("post_actions", name, call);
    run.trace.postActions.push({ name, status: "success" });
  } catch (error) {
    if (error instanceof PhaseError && error.isNotFound) {
      run.trace.postActions.push({ name, status: "skipped", detail: "the resource no longer exists" });
      return;
    }
    run.trace.postActions.push({ name, status: "failed" });
    if (error instanceof TemplateError) throw new PhaseError("post_actions", name, error.message);
    throw error;
  }
}

function reasonToSkip(
  { when, call, log }: PostAction,
  unbuilt: ReadonlySet<string>,
  run: RunContext,
): string | undefined {
  if (when?.holds(run.variables.json) === false) return `${when.text} is false`;
  const templates = [call?.url, call?.body, log?.message, ...(call?.headers ?? []).map(({ value }) => value)];
  const missing = templates.flatMap((template) => [...(template?.roots ?? [])]).find((root) => unbuilt.has(root));
  return missing === undefined ? undefined : `the payload ${missing} was not built`;
}

/** Turns a failing expression or template into a PhaseError at its step. */
function convertErrors<Out>(name: string, work: () => Out): Out {
  try {
    return work();
  } catch (error) {
    if (isMistake(error)) throw new PhaseError("post_actions", name, error.message);
    throw error;
  }
}

function isMistake(error: unknown): error is Error {
  return error instanceof ExpressionError || error instanceof TemplateError;
}
