import type { JsonObject } from "@levelset/core";
import { decideReport, parseReport, settle, timeText } from "../resource/index.ts";
import type { AdapterStatus, Intake, Report } from "../resource/index.ts";
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

/** Takes a report in. `body` is what the adapter sent. Every report on a resource that exists goes into its history. */
export async function report(context: FleetContext, caller: Caller, target: Target, body: unknown): Promise<Reported> {
  const parsed = parseReport(body, context.clock.now());
  if (parsed.kind === "invalid") throw invalid(parsed.problems);
  checkAdapter(caller, parsed.report.adapter);
  const done = await context.mutations.run({
    lane: target.id,
    subject: subjectOf(target),
    decide: async () => {
      const stored = await loadFor(context, caller, target);
      return decideOnReport(context, caller, stored, parsed.report);
    },
  });
  if (done.kind === "replayed") throw new TypeError("reports have no key");
  return done.result;
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
): Promise<Decision<Reported>> {
  const known = stored.statuses.find(({ adapter }) => adapter === said.adapter);
  const intake = decideReport(said, stored.resource, known);
  if (intake.kind === "invalid") throw invalid(intake.problems);
  const outcome = intake.kind === "discarded" ? intake.reason : intake.kind;
  const entry = entryOf(context, caller, stored.resource, {
    action: "report",
    time: context.clock.now(),
    adapter: said.adapter,
    details: { outcome, report: saidJson(said) },
  });
  if (intake.kind === "discarded") return { kind: "commit", change: { entry }, result: { kind: "quiet" } };
  const change = await changeOf(context, stored, said, intake);
  return {
    kind: "commit",
    change: { entry, ...change },
    result: intake.answer === 201 ? { kind: "stored", status: intake.status } : { kind: "quiet" },
    parentId: stored.resource.owner?.id,
  };
}

/** What a report that is kept changes. */
async function changeOf(
  context: FleetContext,
  { resource: before, revision, children, statuses: known }: Stored,
  { adapter, observedTime }: Report,
  intake: Kept,
): Promise<Omit<ChangeSet, "entry">> {
  const kind = kindOf(context, before);
  const statuses = [...known.filter((status) => status.adapter !== adapter), intake.status];
  const kept = { statuses: [{ resourceId: before.id, status: intake.status }] };
  if (intake.kind === "progress") {
    const work = [context.planner.work({ kind, resource: before, statuses })];
    return { ...kept, touched: [{ id: before.id, revision }], work };
  }
  const settled = settle({ kind, resource: before, statuses, children, causeTime: observedTime });
  const { resource } = settled;
  const update = { resource, revision, isDeclared: false, before };
  if (settled.kind === "gone") {
    const above = await withoutChild(context, resource, observedTime);
    return { ...above, removed: [update, ...above.removed] };
  }
  const planned = { kind, resource, statuses };
  const isWoken = intake.flipped && context.planner.wakes(planned, adapter);
  return { ...kept, updated: [update], work: [context.planner.work(planned, isWoken ? "wake" : undefined)] };
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
