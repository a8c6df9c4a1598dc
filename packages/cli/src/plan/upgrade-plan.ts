import { kindId } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import { refOf } from "@levelset/operator/internal";
import type { ExternalCall } from "@levelset/operator/internal";
import { refTo } from "@levelset/operator";
import type { ManagedOperator, ObjectRef } from "@levelset/operator";
import type { ClusterCopy } from "./copy/index.ts";
import { expectedProgress } from "./expected-progress.ts";
import { plannedObjects } from "./planned-object.ts";
import type { PlannedObject } from "./planned-object.ts";
import { refId } from "./ref-id.ts";
import type { CopyRun } from "./run-on-copy.ts";
import { statusReport } from "./status-report.ts";
import type { StatusReport } from "./status-report.ts";

/** Something that a person should look at before the upgrade. */
export interface PlanProblem {
  /** The object; undefined if the problem is about the operator as a whole. */
  readonly ref: ObjectRef | undefined;
  readonly message: string;
  /** Whether the upgrade makes it worse than it is now. */
  readonly isRegression: boolean;
}

/** What an upgrade of operators would do. */
export interface UpgradePlan {
  readonly objects: readonly PlannedObject[];
  readonly reports: readonly StatusReport[];
  readonly problems: readonly PlanProblem[];
  /** The external calls that were not made. Steps after them did not run. */
  readonly heldBack: readonly ExternalCall[];
  /** Number of objects in which only records of levelset and of the server would change. */
  readonly internal: number;
  /** Number of copied objects that would stay as they are. */
  readonly unchanged: number;
  /** What the plan does not cover. */
  readonly notes: readonly string[];
}

/** Input of {@link upgradePlan}. */
export interface UpgradeFacts {
  readonly operators: readonly ManagedOperator[];
  readonly copy: ClusterCopy;
  readonly run: CopyRun;
  /** Number of objects that the operators declare and that were copied. */
  readonly copied: number;
  readonly notes: readonly string[];
}

/** Makes a plan of what operators did on a copy. */
export function upgradePlan(facts: UpgradeFacts): UpgradePlan {
  const { run, copied, notes } = facts;
  const own = new Set(facts.operators.map(({ rbac }) => kindId(rbac.kind)));
  const planned = plannedObjects(run.changes, own);
  const objects = [...planned.values()].flatMap((each) => (each === "internal" ? [] : [each]));
  const reports = reportsOf(facts, own);
  const existing = objects.filter(({ action }) => action !== "create").length;
  const reported = new Set(reports.map(({ ref }) => refId(ref)));
  const changed = new Set(objects.map(({ ref }) => refId(ref)));
  const others = run.changes.filter(({ before, after }) => {
    const object = after ?? before;
    if (object === undefined) return false;
    const id = refId(refOf(object));
    return !changed.has(id) && !reported.has(id);
  });
  // Their status is unknown.
  const heldBack = others.filter(({ after }) => after !== undefined && run.heldBack.hasCallOf(after.metadata.uid));
  const onlyReported = [...reported].filter((id) => !changed.has(id)).length;
  return {
    objects,
    reports,
    problems: problemsOf(facts, reports),
    heldBack: run.heldBack.calls,
    internal: others.length - heldBack.length,
    unchanged: Math.max(0, copied - existing - onlyReported - others.length),
    notes,
  };
}

/** Returns what would be reported. The status of an object with calls that were held back is unknown, and left out. */
function reportsOf({ operators, copy, run }: UpgradeFacts, own: ReadonlySet<string>): readonly StatusReport[] {
  const { heldBack, changes } = run;
  const ownChanges = changes.filter(({ resource }) => own.has(resource));
  const written = changes.flatMap(({ resource, after }) =>
    after === undefined || own.has(resource) ? [] : [{ resource, object: after }],
  );
  const expected = expectedProgress({
    operators,
    own: [...own].flatMap((resource) => objectsOf(copy, resource).map((object) => ({ resource, object }))),
    written,
    heldBack: new Set(heldBack.calls.map(({ object }) => object.uid)),
    waits: run.waits,
  });
  return ownChanges
    .filter(({ after }) => after !== undefined && !heldBack.hasCallOf(after.metadata.uid))
    .flatMap((change) => statusReport(change, (uid) => expected.has(uid)) ?? []);
}

function objectsOf({ store }: ClusterCopy, resource: string): readonly KubeObject[] {
  const found = store.list({ resource });
  return found.kind === "listing" ? found.records.map(({ object }) => object) : [];
}

function problemsOf({ copy, run, operators }: UpgradeFacts, reports: readonly StatusReport[]): readonly PlanProblem[] {
  const worse = new Set(reports.filter(({ isRegression }) => isRegression).map(({ ref }) => refId(ref)));
  const invalid = copy.problems.flatMap(({ object, errors, dropped }): readonly PlanProblem[] => [
    ...errors.map(({ field, message }) => ({
      ref: refOf(object),
      message: `is not valid for the new schema: ${field}: ${message}`,
      isRegression: true,
    })),
    ...dropped.map((path) => ({
      ref: refOf(object),
      message: `would lose ${path}, which the new schema does not declare`,
      isRegression: true,
    })),
  ]);
  const failures = run.failures.map(({ kind, key, step, message, isDefect }): PlanProblem => {
    const ref = refTo(kind, key);
    const where = step === undefined ? "" : `step ${step}: `;
    return { ref, message: `${where}${message}`, isRegression: isDefect || worse.has(refId(ref)) };
  });
  const whole = [
    ...(run.crash === undefined
      ? []
      : [`${operators.map(({ name }) => name).join(", ")} stopped: ${run.crash.message}`]),
    ...run.errors,
    ...run.missingRights,
    ...(run.isAtRest ? [] : [restlessText(run)]),
    ...(run.unfinished === 0 ? [] : [unfinishedText(run.unfinished)]),
  ].map((message): PlanProblem => ({ ref: undefined, message, isRegression: true }));
  return [...invalid, ...failures, ...whole];
}

/** Number of objects that are named as the cause. */
const NAMED_MAX = 3;

function restlessText({ changes }: CopyRun): string {
  const busiest = changes.toSorted((a, b) => b.writes - a.writes).slice(0, NAMED_MAX);
  const names = busiest.flatMap(({ before, after, writes }) => {
    const object = after ?? before;
    return object === undefined ? [] : [`${object.kind} ${object.metadata.name} (${writes} writes)`];
  });
  return `does not come to rest; most written: ${names.join(", ")}`;
}

function unfinishedText(objects: number): string {
  const which = objects === 1 ? "1 object is" : `${objects} objects are`;
  return `${which} still being reconciled: a step waits for another system, so that the plan is incomplete`;
}

/** Reports whether the upgrade would change an object or a status. */
export function changesAnything({ objects, reports }: UpgradePlan): boolean {
  return objects.length + reports.length > 0;
}

/** Reports whether the upgrade would make an object worse than it is now, or the operator fails. */
export function hasRegression({ reports, problems }: UpgradePlan): boolean {
  return [...reports, ...problems].some(({ isRegression }) => isRegression);
}
