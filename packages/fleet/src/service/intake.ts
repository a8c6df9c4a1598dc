import type { JsonObject } from "@levelset/core";
import { decideReport, parseReport, settle, timeText } from "../resource/index.ts";
import type { AdapterStatus, Intake, Report, Resource } from "../resource/index.ts";
import type { ChangeSet, Stored } from "../store/index.ts";
import { withoutChild } from "./ancestors.ts";
import type { Caller } from "./caller.ts";
import { entryOf, kindOf, loadFor, subjectOf } from "./context.ts";
import type { FleetContext, Target } from "./context.ts";
import { FleetError, invalid } from "./fleet-error.ts";
import type { Decision } from "./mutation.ts";

/** What became of a report: 201 with what is known of the adapter now; or 204, for it changes nothing that is shown. */
export type Reported = { readonly kind: "stored"; readonly status: AdapterStatus } | { readonly kind: "quiet" };

type Kept = Extract<Intake, { readonly status: AdapterStatus }>;

/** What became of a report, and what is then kept of the resource: undefined if it is as it was, or gone. */
interface Outcome {
  readonly reported: Reported;
  readonly after: Stored | undefined;
}

/** Takes a report in. `body` is what the adapter sent. Every report on a resource that exists goes into its history. */
export async function report(context: FleetContext, caller: Caller, target: Target, body: unknown): Promise<Reported> {
  const parsed = parseReport(body, context.clock.now());
  if (parsed.kind === "invalid") throw invalid(parsed.problems);
  const said = parsed.report;
  checkAdapter(caller, said.adapter);
  const done = await context.mutations.run<Outcome>({
    lane: target.id,
    subject: subjectOf(target),
    decide: async () => {
      const recent = context.recent.take({ ...target, scope: caller.scope });
      // Only what its commit checks may rest on what may be old.
      const isSure = recent !== undefined && isKept(intakeOf(context, recent, said, context.clock.now()));
      return decideOnReport(context, caller, isSure ? recent : await loadFor(context, caller, target), said);
    },
  });
  if (done.kind === "replayed") throw new TypeError("reports have no key");
  const { reported, after } = done.result;
  if (after !== undefined) context.recent.keep(after);
  return reported;
}

function intakeOf({ planner }: FleetContext, { resource, statuses }: Stored, said: Report, now: number): Intake {
  return decideReport(
    said,
    resource,
    statuses.find(({ adapter }) => adapter === said.adapter),
    { now, notReadyMs: planner.ttlOf(resource).notReadyMs },
  );
}

function isKept(intake: Intake): intake is Kept {
  return intake.kind === "verdict" || intake.kind === "progress";
}

function checkAdapter({ adapters, identity }: Caller, adapter: string): void {
  if (adapters === undefined || adapters.includes(adapter)) return;
  const message = `${identity} may not report as '${adapter}'`;
  throw new FleetError("forbidden", message, [{ field: "adapter", message, value: adapter }]);
}

async function decideOnReport(
  context: FleetContext,
  caller: Caller,
  stored: Stored,
  said: Report,
): Promise<Decision<Outcome>> {
  const now = context.clock.now();
  const intake = intakeOf(context, stored, said, now);
  if (intake.kind === "invalid") throw invalid(intake.problems);
  const outcome = intake.kind === "discarded" ? intake.reason : intake.kind;
  const entry = entryOf(context, caller, stored.resource, {
    action: "report",
    time: now,
    adapter: said.adapter,
    details: { outcome, report: saidJson(said) },
  });
  if (intake.kind === "discarded") {
    return { kind: "commit", change: { entry }, result: { reported: { kind: "quiet" }, after: undefined } };
  }
  const { after, ...change } = await changeOf(context, stored, { ...said, now }, intake);
  const reported: Reported = intake.answer === 201 ? { kind: "stored", status: intake.status } : { kind: "quiet" };
  return {
    kind: "commit",
    change: { entry, ...change },
    result: { reported, after },
    parentId: stored.resource.owner?.id,
  };
}

/** What a report that is kept changes, and what is there after it. */
async function changeOf(
  context: FleetContext,
  { resource: before, revision, children, statuses: known }: Stored,
  { adapter, observedTime, now }: Report & { readonly now: number },
  intake: Kept,
): Promise<Omit<ChangeSet, "entry"> & Pick<Outcome, "after">> {
  const kind = kindOf(context, before);
  const { status } = intake;
  const statuses = [...known.filter((other) => other.adapter !== adapter), status];
  const kept = { statuses: [{ resourceId: before.id, status }] };
  const left = (resource: Resource): Stored => ({ resource, revision: revision + 1, statuses, children });
  if (intake.kind === "progress") {
    const work = [context.planner.work({ kind, resource: before, statuses })];
    return { ...kept, touched: [{ id: before.id, revision }], work, after: left(before) };
  }
  const settled = settle({
    kind,
    resource: before,
    statuses,
    children,
    causeTime: observedTime,
    now,
  });
  const { resource } = settled;
  const update = { resource, revision, isDeclared: false, before };
  if (settled.kind === "gone") {
    const above = await withoutChild(context, resource, observedTime);
    return { ...above, removed: [update, ...above.removed], after: undefined };
  }
  const planned = { kind, resource, statuses };
  // Later changes of a verdict that flaps are announced by a deadline of their own.
  const isWoken = intake.flipped && !intake.isFlapping && context.planner.wakes(planned, adapter);
  const work = [context.planner.work(planned, isWoken ? "wake" : undefined)];
  return { ...kept, updated: [update], work, after: left(resource) };
}

/** A report as the history shows it: as it was sent. */
function saidJson({ observedGeneration, observedTime, conditions, data, metadata }: Report): JsonObject {
  return {
    observed_generation: observedGeneration,
    observed_time: timeText(observedTime),
    conditions: conditions.map((condition) => ({ ...condition })),
    ...(data === undefined ? {} : { data }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
