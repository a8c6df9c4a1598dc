import type { Job, JobSpec, NewOf } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import { invalidField, requiredField, invalidFieldWithoutValue } from "../../resource/index.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

/** Validation of a Job's status: a finished Job stays finished, and its status must be complete. */

type LooseStatus = Unvalidated<NonNullable<NewOf<typeof Job>["status"]>>;

const COUNTS = ["active", "succeeded", "failed", "ready", "terminating"] as const;
const TERMINAL = ["Failed", "Complete", "FailureTarget"];

/** Validates a job's new status. */
export function* jobStatusErrors(object: ApiObject, old: ApiObject): FieldErrors {
  const next = statusOf(object);
  const before = statusOf(old);
  const spec = unvalidatedField<JobSpec>(object, "spec") ?? {};
  for (const count of COUNTS) yield* nonNegativeErrors(`status.${count}`, next[count]);
  yield* conditionErrors(next);
  yield* timeErrors(next, before, spec);
  if (isFinished(next)) yield* leftoverErrors(next);
  if ((next.ready ?? 0) > (next.active ?? 0)) {
    yield invalidField("status.ready", next.ready, "cannot set more ready pods than active");
  }
  yield* progressErrors(next, before, spec);
}

function statusOf(object: ApiObject): LooseStatus {
  return unvalidatedField<LooseStatus>(object, "status") ?? {};
}

function is(status: LooseStatus, type: string): boolean {
  return (status.conditions ?? []).some((condition) => condition.type === type && condition.status === "True");
}

function isFinished(status: LooseStatus): boolean {
  return is(status, "Complete") || is(status, "Failed");
}

function* conditionErrors(next: LooseStatus): FieldErrors {
  const refuse = (why: string): ReturnType<typeof invalidFieldWithoutValue> =>
    invalidFieldWithoutValue("status.conditions", why);
  const [complete, failed] = [is(next, "Complete"), is(next, "Failed")];
  const [target, criteria] = [is(next, "FailureTarget"), is(next, "SuccessCriteriaMet")];
  if (complete && failed) yield refuse("cannot set Complete=True and Failed=true conditions");
  if (complete && target) yield refuse("cannot set Complete=True and FailureTarget=true conditions");
  if (failed && !target) yield refuse("cannot set Failed=True condition without the FailureTarget=true condition");
  if (complete && !criteria) {
    yield refuse("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
  }
  if (criteria && failed) yield refuse("cannot set SuccessCriteriaMet=True and Failed=true conditions");
  if (criteria && target) yield refuse("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
}

function* timeErrors(next: LooseStatus, before: LooseStatus, spec: Unvalidated<JobSpec>): FieldErrors {
  const { startTime, completionTime } = next;
  const at = "status.completionTime";
  if (completionTime !== undefined && !is(next, "Complete")) {
    yield invalidField(at, completionTime, "cannot set completionTime when there is no Complete=True condition");
  }
  if (completionTime === undefined && is(next, "Complete")) {
    yield requiredField(at, "completionTime is required for Complete jobs");
  }
  if (startTime !== undefined && completionTime !== undefined && completionTime < startTime) {
    yield invalidField(at, completionTime, "must be equal to or after `startTime`");
  }
  const isNothing = spec.suspend === true && spec.completions === 0;
  if (startTime === undefined && isFinished(next) && !isNothing) {
    yield requiredField("status.startTime", "startTime is required for finished job");
  }
  if (completionTime !== undefined && before.completionTime !== undefined && completionTime !== before.completionTime) {
    yield invalidField(at, completionTime, "field is immutable");
  }
  const isResuming = is(before, "Suspended") && !is(next, "Suspended");
  if (before.startTime !== undefined && startTime !== before.startTime && spec.suspend !== true && !isResuming) {
    yield invalidField("status.startTime", startTime ?? null, "field is immutable for unsuspended job once set");
  }
}

function* leftoverErrors(next: LooseStatus): FieldErrors {
  if ((next.active ?? 0) > 0) yield invalidField("status.active", next.active, "active>0 is invalid for finished job");
  const { failed = [], succeeded = [] } = next.uncountedTerminatedPods ?? {};
  if (failed.length + succeeded.length > 0) {
    yield invalidField(
      "status.uncountedTerminatedPods",
      next.uncountedTerminatedPods,
      "must be empty for finished job",
    );
  }
  if ((next.terminating ?? 0) > 0) {
    yield invalidField("status.terminating", next.terminating, "terminating>0 is invalid for finished job");
  }
}

function* progressErrors(next: LooseStatus, before: LooseStatus, spec: Unvalidated<JobSpec>): FieldErrors {
  for (const type of [...TERMINAL, "SuccessCriteriaMet"]) {
    if (!is(before, type) || is(next, type)) continue;
    const what = TERMINAL.includes(type) ? `the terminal ${type}` : `the ${type}`;
    yield invalidFieldWithoutValue("status.conditions", `cannot disable ${what}=True condition`);
  }
  if ((next.failed ?? 0) < (before.failed ?? 0)) {
    yield invalidField("status.failed", next.failed ?? 0, "cannot decrease the failed counter");
  }
  const isElastic = spec.completionMode === "Indexed" && spec.completions === spec.parallelism;
  if (!isElastic && (next.succeeded ?? 0) < (before.succeeded ?? 0)) {
    yield invalidField("status.succeeded", next.succeeded ?? 0, "cannot decrease the succeeded counter");
  }
}
