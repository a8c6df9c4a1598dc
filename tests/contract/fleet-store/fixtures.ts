import { canonicalJson } from "@levelset/core/internal";
import { allConditions } from "@levelset/fleet/model";
import { EVERY_TENANT } from "@levelset/fleet/server";
import type { AdapterStatus, JournalEntry, Resource, ResourceCondition, TextMap } from "@levelset/fleet/model";
import type { ChangeSet, PlannedWork, StoredResource } from "@levelset/fleet/server";
import type { FleetStore } from "@levelset/fleet";
import type { ResourceUpdate } from "@levelset/fleet/internal";

let entries = 0;

/** Returns a unique entry ID, ordered by time. */
function entryId(time: number): string {
  entries += 1;
  const hex = time.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${entries.toString(16).padStart(12, "0")}`;
}

/** Returns a journal entry of a resource. */
export function entryOf(
  resource: Pick<Resource, "id" | "kind" | "name" | "tenancy">,
  more: Partial<JournalEntry> = {},
): JournalEntry {
  const { id, kind, name, tenancy } = resource;
  const time = more.time ?? 1_000;
  const base = { id: entryId(time), time, action: "create", by: "user", requestId: "request", generation: 1 } as const;
  return { ...base, resourceId: id, kind, name, tenancy, ...more };
}

/** Returns a condition of a resource. */
export function condition(type: string, status: "True" | "False", time = 1_000): ResourceCondition {
  return { type, status, observedGeneration: 1, createdTime: time, lastUpdatedTime: time, lastTransitionTime: time };
}

/** Returns a cluster that is not ready by default. */
export function cluster(id: string, more: Partial<Resource> = {}): Resource {
  const kind = more.kind ?? "Cluster";
  return {
    id,
    kind,
    name: id,
    href: `/${kind}/${id}`,
    spec: { region: "here" },
    labels: {},
    generation: 1,
    createdTime: 1_000,
    updatedTime: 1_000,
    createdBy: "user",
    updatedBy: "user",
    references: {},
    tenancy: {},
    conditions: allConditions([condition("Reconciled", "False")]),
    ...more,
  };
}

/** Returns a node pool of a cluster. */
export function nodePool(id: string, owner: Resource, more: Partial<Resource> = {}): Resource {
  const { kind, href, tenancy } = owner;
  return cluster(id, { kind: "NodePool", owner: { id: owner.id, kind, href }, tenancy, ...more });
}

/** Returns an adapter status. */
export function statusOf(adapter: string, time = 1_000): AdapterStatus {
  const conditions = [{ type: "Available", status: "True" as const, lastTransitionTime: time }];
  return { adapter, createdTime: time, verdict: { observedGeneration: 1, observedTime: time, conditions } };
}

/** Returns urgent work. */
export function urgentWork(resourceId: string, time: number, more: Partial<PlannedWork> = {}): PlannedWork {
  return { resourceId, kind: "Cluster", urgent: { time, cause: "create" }, refreshTime: undefined, ...more };
}

/** Returns work that is due at a time. */
export function refreshWork(resourceId: string, refreshTime: number | undefined): PlannedWork {
  return { resourceId, kind: "Cluster", refreshTime };
}

/** Returns a change that replaces a loaded resource. */
export function update(
  { resource, revision }: StoredResource,
  more: Partial<Resource> = {},
  isDeclared = false,
): ResourceUpdate {
  return { resource: { ...resource, ...more }, revision, isDeclared };
}

/** Creates resources, each with a separate change that touches the parent. */
export async function create(store: FleetStore, ...resources: readonly Resource[]): Promise<void> {
  for (const resource of resources) {
    const parent = resource.owner === undefined ? undefined : await mustLoad(store, resource.owner.id);
    const touched = parent === undefined ? [] : [{ id: parent.resource.id, revision: parent.revision }];
    const outcome = await store.commit({ entry: entryOf(resource), created: [resource], touched });
    if (outcome.kind !== "committed") throw new Error(`${resource.id} was not created: ${canonicalJson(outcome)}`);
  }
}

/** Loads a resource that must exist. */
export async function mustLoad(store: FleetStore, id: string): Promise<StoredResource> {
  const stored = await store.load({ id, scope: EVERY_TENANT });
  if (stored === undefined) throw new Error(`there is no ${id}`);
  return stored;
}

/** Returns the change of an adapter's report. */
export async function report(store: FleetStore, id: string, adapter: string, time: number): Promise<ChangeSet> {
  const stored = await mustLoad(store, id);
  const conditions = allConditions([
    condition("Reconciled", "True", time),
    condition("LastKnownReconciled", "True", time),
  ]);
  return {
    entry: entryOf(stored.resource, { action: "report", adapter, time, details: { outcome: "verdict" } }),
    updated: [{ ...update(stored, { conditions }), before: stored.resource }],
    statuses: [{ resourceId: id, status: statusOf(adapter, time) }],
    work: [refreshWork(id, time + 10_000)],
  };
}

/** Returns the change of a progress report, which changes no condition. */
export async function progress(store: FleetStore, id: string, adapter: string, time: number): Promise<ChangeSet> {
  const { updated = [], ...rest } = await report(store, id, adapter, time);
  return { ...rest, touched: updated.map(({ revision }) => ({ id, revision })) };
}

/** Returns a cluster with adapter reports, so that it has all condition types. */
export function reportedCluster(id: string): Resource {
  const conditions = allConditions([condition("Reconciled", "False"), condition("LastKnownReconciled", "False")]);
  return cluster(id, { conditions });
}

/** Returns the scope of one tenant. */
export function tenant(tenancy: TextMap): { readonly kind: "tenant"; readonly tenancy: TextMap } {
  return { kind: "tenant", tenancy };
}
