import type { JsonObject } from "@levelset/core";
import { decideReport, parseReport, evaluateResource, timeText } from "../resource/index.ts";
import type { AdapterStatus, Intake, Report, Resource } from "../resource/index.ts";
import type { ChangeSet, StoredResource } from "../store/index.ts";
import { withoutChild } from "./ancestors.ts";
import type { Caller } from "./caller.ts";
import { journalEntryOf, kindOfResource, loadVisible, describeTarget } from "./fleet-context.ts";
import type { FleetContext, ResourceTarget } from "./fleet-context.ts";
import { FleetError, invalidFields } from "./fleet-error.ts";
import type { MutationDecision } from "./mutation.ts";

/** The result of a report: 201 with the adapter's current status, or 204 if it has no visible effect. */
export type IntakeResult = { readonly kind: "stored"; readonly status: AdapterStatus } | { readonly kind: "unchanged" };

type StoredIntake = Extract<Intake, { readonly status: AdapterStatus }>;

/** The result of a report and the new state of the resource: undefined if it is unchanged or removed. */
interface Outcome {
  readonly reported: IntakeResult;
  readonly after: StoredResource | undefined;
}

/**
 * Processes a report. `body` is the unvalidated request body. Every report on an existing resource is recorded in its
 * history.
 */
export async function intakeReport(
  context: FleetContext,
  caller: Caller,
  target: ResourceTarget,
  body: unknown,
): Promise<IntakeResult> {
  const parsed = parseReport(body, context.clock.now());
  if (parsed.kind === "invalid") throw invalidFields(parsed.problems);
  const received = parsed.report;
  checkAdapter(caller, received.adapter);
  const done = await context.mutations.run<Outcome>({
    lockKey: target.id,
    subject: describeTarget(target),
    decide: async () => {
      const recent = context.resourceCache.take({ ...target, scope: caller.scope });
      // A cached, possibly outdated resource may only be used for a decision that its commit verifies.
      const isVerified = recent !== undefined && isKept(intakeOf(context, recent, received, context.clock.now()));
      return decideOnReport(
        context,
        caller,
        isVerified ? recent : await loadVisible(context, caller, target),
        received,
      );
    },
  });
  if (done.kind === "replayed") throw new TypeError("a report has no idempotency key");
  const { reported, after } = done.result;
  if (after !== undefined) context.resourceCache.put(after);
  return reported;
}

function intakeOf(
  { planner }: FleetContext,
  { resource, statuses }: StoredResource,
  received: Report,
  now: number,
): Intake {
  return decideReport(
    received,
    resource,
    statuses.find(({ adapter }) => adapter === received.adapter),
    { now, notReadyMs: planner.ttlOf(resource).notReadyMs },
  );
}

function isKept(intake: Intake): intake is StoredIntake {
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
  stored: StoredResource,
  received: Report,
): Promise<MutationDecision<Outcome>> {
  const now = context.clock.now();
  const intake = intakeOf(context, stored, received, now);
  if (intake.kind === "invalid") throw invalidFields(intake.problems);
  const outcome = intake.kind === "discarded" ? intake.reason : intake.kind;
  const entry = journalEntryOf(context, caller, stored.resource, {
    action: "report",
    time: now,
    adapter: received.adapter,
    details: { outcome, report: receivedJson(received) },
  });
  if (intake.kind === "discarded") {
    return { kind: "commit", change: { entry }, result: { reported: { kind: "unchanged" }, after: undefined } };
  }
  const { after, ...change } = await changeOf(context, stored, { ...received, now }, intake);
  const reported: IntakeResult =
    intake.httpStatus === 201 ? { kind: "stored", status: intake.status } : { kind: "unchanged" };
  return {
    kind: "commit",
    change: { entry, ...change },
    result: { reported, after },
    parentId: stored.resource.owner?.id,
  };
}

/** Returns the change of an accepted report, and the resource after it. */
async function changeOf(
  context: FleetContext,
  { resource: before, revision, children, statuses: known }: StoredResource,
  { adapter, observedTime, now }: Report & { readonly now: number },
  intake: StoredIntake,
): Promise<Omit<ChangeSet, "entry"> & Pick<Outcome, "after">> {
  const kind = kindOfResource(context, before);
  const { status } = intake;
  const statuses = [...known.filter((other) => other.adapter !== adapter), status];
  const statusUpdate = { statuses: [{ resourceId: before.id, status }] };
  const left = (resource: Resource): StoredResource => ({ resource, revision: revision + 1, statuses, children });
  if (intake.kind === "progress") {
    const work = [context.planner.work({ kind, resource: before, statuses })];
    return { ...statusUpdate, touched: [{ id: before.id, revision }], work, after: left(before) };
  }
  const settled = evaluateResource({
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
  // Later changes of a flapping result are pulsed by a separate deadline.
  const isNotified = intake.flipped && !intake.isFlapping && context.planner.triggersPulse(planned, adapter);
  const work = [context.planner.work(planned, isNotified ? "wake" : undefined)];
  return { ...statusUpdate, updated: [update], work, after: left(resource) };
}

/** Returns a report for the history, as it was sent. */
function receivedJson({ observedGeneration, observedTime, conditions, data, metadata }: Report): JsonObject {
  return {
    observed_generation: observedGeneration,
    observed_time: timeText(observedTime),
    conditions: conditions.map((condition) => ({ ...condition })),
    ...(data === undefined ? {} : { data }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
