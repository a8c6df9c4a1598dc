import { availableOf, isCurrent, isResourceReady, readyOf } from "@levelset/fleet/client";
import type {
  FleetCollection,
  KindDescription,
  WireAdapterStatus,
  WireKeptReport,
  WirePulse,
  WireResource,
} from "@levelset/fleet/client";
import type { FleetSession } from "./fleet-session.ts";

/** What an adapter has to do with the latest declaration. */
export interface AdapterFact {
  readonly adapter: string;
  /** `done`: reached, or finalized in a deletion; `failed`: says why; `behind`: has judged an older generation; `silent`: none yet. */
  readonly state: "done" | "failed" | "behind" | "silent";
  /** The generation of its last verdict. */
  readonly generation: number | undefined;
  /** Since when it is so, in milliseconds since 1970. */
  readonly since: number;
  readonly reason?: string;
  readonly message?: string;
  /** What it said last about work under way. */
  readonly progress?: {
    readonly time: number;
    /** Whether it could judge: its Health is not False. */
    readonly isHealthy: boolean;
    readonly reason?: string;
    readonly message?: string;
  };
  /** When it is asked again, if it has not reported by then; absent where the fleet does not tell. */
  readonly askedAgain?: number;
}

/** Why a resource is as it is. */
export interface FleetAnswer {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly generation: number;
  readonly isReady: boolean;
  /** The generation at which the system runs; undefined if it does not. */
  readonly runsAt: number | undefined;
  readonly readySince: number | undefined;
  readonly deleting: { readonly since: number; readonly by: string } | undefined;
  readonly adapters: readonly AdapterFact[];
  /** What is below it, while it is being deleted: it cannot go before. */
  readonly children: readonly { readonly kind: string; readonly name: string; readonly deleting: boolean }[];
  readonly changed: { readonly time: number; readonly by: string };
  /** When adapters were last asked about it; absent where the fleet does not tell. */
  readonly pulsed?: number;
  /** Which adapters keep changing their verdict; absent while none does. */
  readonly flapping?: string;
}

/** A resource to ask about. */
export interface Subject {
  readonly kind: KindDescription;
  readonly resource: WireResource;
  readonly collection: FleetCollection;
  readonly signal: AbortSignal;
}

/** The required adapters that have not finalized a deletion. */
export async function unfinalized(subject: Subject): Promise<readonly string[]> {
  const { kind, resource } = subject;
  const statuses = await statusesOf(subject);
  return kind.requiredAdapters.filter((adapter) => !isFinalized(statuses.get(adapter), resource));
}

/** What each required adapter has reported on a resource. */
export async function adapterFacts(subject: Subject): Promise<readonly AdapterFact[]> {
  const { kind, resource } = subject;
  const statuses = await statusesOf(subject);
  return kind.requiredAdapters.map((adapter) => factOf(adapter, statuses.get(adapter), resource));
}

/** All that is known about why a resource is as it is. */
export async function fleetAnswer(subject: Subject, session: FleetSession): Promise<FleetAnswer> {
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
      ...factOf(adapter, statuses.get(adapter), resource),
      ...askedAgain(adapter, pulse),
    })),
    children: time === undefined ? [] : await childrenOf(subject, session),
    changed: { time: Date.parse(resource.updated_time), by: resource.updated_by },
    ...(pulse?.last_time === undefined ? {} : { pulsed: Date.parse(pulse.last_time) }),
    ...flappingOf(resource),
  };
}

/** The condition is there only while an adapter flaps. */
function flappingOf({ status }: WireResource): Pick<FleetAnswer, "flapping"> {
  const condition = status.conditions.find(({ type }) => type === "Flapping");
  return condition?.status === "True" ? { flapping: condition.message ?? "" } : {};
}

function askedAgain(adapter: string, pulse: WirePulse | undefined): Pick<AdapterFact, "askedAgain"> {
  const due = pulse?.adapters.find((each) => each.adapter === adapter)?.due_time;
  return due === undefined ? {} : { askedAgain: Date.parse(due) };
}

async function statusesOf({ collection, resource, signal }: Subject): Promise<ReadonlyMap<string, WireAdapterStatus>> {
  const found = new Map<string, WireAdapterStatus>();
  for await (const status of collection.statuses(resource.id, { signal })) found.set(status.adapter, status);
  return found;
}

/** The resources below a resource. */
export async function childrenOf(
  { kind, resource, signal }: Subject,
  session: FleetSession,
): Promise<FleetAnswer["children"]> {
  const children: FleetAnswer["children"][number][] = [];
  for (const below of session.kinds.filter(({ parentKind }) => parentKind === kind.kind)) {
    for await (const child of session.client.collection(below, resource).list({ order: "name", signal })) {
      children.push({ kind: child.kind, name: child.name, deleting: child.deleted_time !== undefined });
    }
  }
  return children;
}

function factOf(adapter: string, status: WireAdapterStatus | undefined, resource: WireResource): AdapterFact {
  const changed = Date.parse(resource.updated_time);
  const verdict = status === undefined || statusIn(status, "Available") === "Unknown" ? undefined : status;
  const working = progressOf(status, verdict);
  const told = verdict === undefined ? undefined : Date.parse(verdict.last_report_time);
  const state = stateOf(verdict, resource);
  const isFailed = state === "failed";
  const available = verdict?.conditions.find(({ type }) => type === judging(resource));
  return {
    adapter,
    state,
    generation: verdict?.observed_generation,
    since: sinceOf(state, { told, changed, flipped: available?.last_transition_time }),
    ...(isFailed ? wordsOf(available) : {}),
    ...(working === undefined ? {} : { progress: working }),
  };
}

/** Since when it is so: success is as old as its last report, failure as the verdict, and what is awaited as the change. */
function sinceOf(
  state: AdapterFact["state"],
  times: { readonly told: number | undefined; readonly changed: number; readonly flipped: string | undefined },
): number {
  const { told, changed, flipped } = times;
  if (state === "done") return told ?? changed;
  return state === "failed" && flipped !== undefined ? Date.parse(flipped) : changed;
}

/** The condition that decides: in a deletion another one than in life. */
function judging({ deleted_time: time }: WireResource): "Available" | "Finalized" {
  return time === undefined ? "Available" : "Finalized";
}

function stateOf(verdict: WireAdapterStatus | undefined, resource: WireResource): AdapterFact["state"] {
  if (verdict === undefined) return "silent";
  if (!isCurrent(resource, verdict)) return "behind";
  if (resource.deleted_time !== undefined) return isFinalized(verdict, resource) ? "done" : "failed";
  return statusIn(verdict, "Available") === "True" ? "done" : "failed";
}

function isFinalized(status: WireAdapterStatus | undefined, resource: WireResource): boolean {
  return status !== undefined && isCurrent(resource, status) && statusIn(status, "Finalized") === "True";
}

function statusIn({ conditions }: WireKeptReport, type: string): string | undefined {
  return conditions.find((condition) => condition.type === type)?.status;
}

function progressOf(
  status: WireAdapterStatus | undefined,
  verdict: WireAdapterStatus | undefined,
): AdapterFact["progress"] {
  if (status === undefined) return undefined;
  const report = verdict === undefined ? { ...status, observed_time: status.last_report_time } : status.progress;
  if (report === undefined) return undefined;
  const isHealthy = statusIn(report, "Health") !== "False";
  const shown = isHealthy ? "Available" : "Health";
  return {
    time: Date.parse(report.observed_time),
    isHealthy,
    ...wordsOf(report.conditions.find(({ type }) => type === shown)),
  };
}

function wordsOf(
  condition: { readonly reason?: string; readonly message?: string } | undefined,
): Pick<AdapterFact, "reason" | "message"> {
  const { reason, message } = condition ?? {};
  return { ...(reason === undefined ? {} : { reason }), ...(message === undefined ? {} : { message }) };
}
