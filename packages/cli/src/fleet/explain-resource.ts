import { availableOf, isCurrent, isResourceReady, readyOf } from "@levelset/fleet/client";
import type {
  FleetCollection,
  KindDescription,
  WireAdapterStatus,
  WireStoredReport,
  WirePulse,
  WireResource,
} from "@levelset/fleet/client";
import type { FleetSession } from "./fleet-session.ts";

/** State of one adapter for the latest generation. */
export interface AdapterExplanation {
  readonly adapter: string;
  /**
   * `done`: reached or finalized; `failed`: has a reason; `behind`: reported an older generation; `silent`: no report.
   */
  readonly state: "done" | "failed" | "behind" | "silent";
  /** Generation of its last result. */
  readonly generation: number | undefined;
  /** Start of this state, in milliseconds since the epoch. */
  readonly since: number;
  readonly reason?: string;
  readonly message?: string;
  /** Its last progress report. */
  readonly progress?: {
    readonly time: number;
    /** Whether its Health condition is not False. */
    readonly isHealthy: boolean;
    readonly reason?: string;
    readonly message?: string;
  };
  /** Time of the next pulse unless it reports before; absent if the fleet does not serve it. */
  readonly askedAgain?: number;
}

/** Explanation of the state of a resource. */
export interface ResourceExplanation {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly generation: number;
  readonly isReady: boolean;
  /** Generation at which the resource is Available; undefined if it is not. */
  readonly runsAt: number | undefined;
  readonly readySince: number | undefined;
  readonly deleting: { readonly since: number; readonly by: string } | undefined;
  readonly adapters: readonly AdapterExplanation[];
  /** Child resources that block the deletion; empty unless the resource is being deleted. */
  readonly children: readonly { readonly kind: string; readonly name: string; readonly deleting: boolean }[];
  readonly changed: { readonly time: number; readonly by: string };
  /** Time of the last pulse; absent if the fleet does not serve it. */
  readonly pulsed?: number;
  /** Adapters that keep changing their result; absent if there are none. */
  readonly flapping?: string;
}

/** A resource to explain. */
export interface ExplainTarget {
  readonly kind: KindDescription;
  readonly resource: WireResource;
  readonly collection: FleetCollection;
  readonly signal: AbortSignal;
}

/** The required adapters that have not finalized a deletion. */
export async function unfinalizedAdapters(subject: ExplainTarget): Promise<readonly string[]> {
  const { kind, resource } = subject;
  const statuses = await statusesOf(subject);
  return kind.requiredAdapters.filter((adapter) => !isFinalized(statuses.get(adapter), resource));
}

/** Returns the state of each required adapter of a resource. */
export async function explainAdapters(subject: ExplainTarget): Promise<readonly AdapterExplanation[]> {
  const { kind, resource } = subject;
  const statuses = await statusesOf(subject);
  return kind.requiredAdapters.map((adapter) => explainAdapter(adapter, statuses.get(adapter), resource));
}

/** Explains the state of a resource from its conditions, adapter reports, children and pulses. */
export async function explainResource(subject: ExplainTarget, session: FleetSession): Promise<ResourceExplanation> {
  const { kind, resource, collection, signal } = subject;
  const [statuses, pulse] = await Promise.all([statusesOf(subject), collection.pulse(resource.id, { signal })]);
  const ready = readyOf(resource);
  const available = availableOf(resource);
  const { deleted_time: time, deleted_by: by = "" } = resource;
  const isReady = time === undefined && (kind.requiredAdapters.length === 0 || isResourceReady(resource));
  return {
    kind: resource.kind,
    name: resource.name,
    id: resource.id,
    generation: resource.generation,
    isReady,
    runsAt: available?.status === "True" ? available.observed_generation : undefined,
    readySince: ready === undefined ? undefined : Date.parse(ready.last_transition_time),
    deleting: time === undefined ? undefined : { since: Date.parse(time), by },
    adapters: kind.requiredAdapters.map((adapter) => ({
      ...explainAdapter(adapter, statuses.get(adapter), resource),
      ...nextPulse(adapter, pulse),
    })),
    children: time === undefined ? [] : await childrenOf(subject, session),
    changed: { time: Date.parse(resource.updated_time), by: resource.updated_by },
    ...(pulse?.last_time === undefined ? {} : { pulsed: Date.parse(pulse.last_time) }),
    ...flappingOf(resource),
  };
}

/** Reads the Flapping condition, which exists only while an adapter flaps. */
function flappingOf({ status }: WireResource): Pick<ResourceExplanation, "flapping"> {
  const condition = status.conditions.find(({ type }) => type === "Flapping");
  return condition?.status === "True" ? { flapping: condition.message ?? "" } : {};
}

function nextPulse(adapter: string, pulse: WirePulse | undefined): Pick<AdapterExplanation, "askedAgain"> {
  const due = pulse?.adapters.find((each) => each.adapter === adapter)?.due_time;
  return due === undefined ? {} : { askedAgain: Date.parse(due) };
}

async function statusesOf({
  collection,
  resource,
  signal,
}: ExplainTarget): Promise<ReadonlyMap<string, WireAdapterStatus>> {
  const found = new Map<string, WireAdapterStatus>();
  for await (const status of collection.statuses(resource.id, { signal })) found.set(status.adapter, status);
  return found;
}

/** Returns the child resources. */
export async function childrenOf(
  { kind, resource, signal }: ExplainTarget,
  session: FleetSession,
): Promise<ResourceExplanation["children"]> {
  const children: ResourceExplanation["children"][number][] = [];
  for (const below of session.kinds.filter(({ parentKind }) => parentKind === kind.kind)) {
    for await (const child of session.client.collection(below, resource).list({ order: "name", signal })) {
      children.push({ kind: child.kind, name: child.name, deleting: child.deleted_time !== undefined });
    }
  }
  return children;
}

function explainAdapter(
  adapter: string,
  status: WireAdapterStatus | undefined,
  resource: WireResource,
): AdapterExplanation {
  const changed = Date.parse(resource.updated_time);
  const verdict = status === undefined || statusIn(status, "Available") === "Unknown" ? undefined : status;
  const progress = progressOf(status, verdict);
  const reported = verdict === undefined ? undefined : Date.parse(verdict.last_report_time);
  const state = stateOf(verdict, resource);
  const isFailed = state === "failed";
  const available = verdict?.conditions.find(({ type }) => type === decidingCondition(resource));
  return {
    adapter,
    state,
    generation: verdict?.observed_generation,
    since: sinceOf(state, { reported, changed, transition: available?.last_transition_time }),
    ...(isFailed ? conditionText(available) : {}),
    ...(progress === undefined ? {} : { progress }),
  };
}

/** Start of a state: the last report for success, the transition for failure, the spec change for pending. */
function sinceOf(
  state: AdapterExplanation["state"],
  times: { readonly reported: number | undefined; readonly changed: number; readonly transition: string | undefined },
): number {
  const { reported, changed, transition } = times;
  if (state === "done") return reported ?? changed;
  return state === "failed" && transition !== undefined ? Date.parse(transition) : changed;
}

/** Returns the deciding condition: Finalized during deletion, else Available. */
function decidingCondition({ deleted_time: time }: WireResource): "Available" | "Finalized" {
  return time === undefined ? "Available" : "Finalized";
}

function stateOf(verdict: WireAdapterStatus | undefined, resource: WireResource): AdapterExplanation["state"] {
  if (verdict === undefined) return "silent";
  if (!isCurrent(resource, verdict)) return "behind";
  if (resource.deleted_time !== undefined) return isFinalized(verdict, resource) ? "done" : "failed";
  return statusIn(verdict, "Available") === "True" ? "done" : "failed";
}

function isFinalized(status: WireAdapterStatus | undefined, resource: WireResource): boolean {
  return status !== undefined && isCurrent(resource, status) && statusIn(status, "Finalized") === "True";
}

function statusIn({ conditions }: WireStoredReport, type: string): string | undefined {
  return conditions.find((condition) => condition.type === type)?.status;
}

function progressOf(
  status: WireAdapterStatus | undefined,
  verdict: WireAdapterStatus | undefined,
): AdapterExplanation["progress"] {
  if (status === undefined) return undefined;
  const report = verdict === undefined ? { ...status, observed_time: status.last_report_time } : status.progress;
  if (report === undefined) return undefined;
  const isHealthy = statusIn(report, "Health") !== "False";
  const shown = isHealthy ? "Available" : "Health";
  return {
    time: Date.parse(report.observed_time),
    isHealthy,
    ...conditionText(report.conditions.find(({ type }) => type === shown)),
  };
}

function conditionText(
  condition: { readonly reason?: string; readonly message?: string } | undefined,
): Pick<AdapterExplanation, "reason" | "message"> {
  const { reason, message } = condition ?? {};
  return { ...(reason === undefined ? {} : { reason }), ...(message === undefined ? {} : { message }) };
}
