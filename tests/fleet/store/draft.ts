import { canonicalJson } from "@levelset/core";
import { allConditions, EVERY_TENANT } from "@levelset/fleet";
import type {
  AdapterStatus,
  ChangeSet,
  FleetStore,
  JournalEntry,
  PlannedWork,
  Resource,
  ResourceCondition,
  Stored,
  TextMap,
  Update,
} from "@levelset/fleet";

let entries = 0;

/** The id of an entry of a time: no two are the same, and they are in the order of their times. */
function entryId(time: number): string {
  entries += 1;
  const hex = time.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${entries.toString(16).padStart(12, "0")}`;
}

/** Something that happened to a resource. */
export function entryOf(
  resource: Pick<Resource, "id" | "kind" | "name" | "tenancy">,
  more: Partial<JournalEntry> = {},
): JournalEntry {
  const { id, kind, name, tenancy } = resource;
  const time = more.time ?? 1_000;
  const base = { id: entryId(time), time, action: "create", by: "user", requestId: "request", generation: 1 } as const;
  return { ...base, resourceId: id, kind, name, tenancy, ...more };
}

/** A condition of a resource. */
export function condition(type: string, status: "True" | "False", time = 1_000): ResourceCondition {
  return { type, status, observedGeneration: 1, createdTime: time, lastUpdatedTime: time, lastTransitionTime: time };
}

/** A cluster that is not ready, unless said otherwise. */
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

/** A node pool of a cluster. */
export function pool(id: string, owner: Resource, more: Partial<Resource> = {}): Resource {
  const { kind, href, tenancy } = owner;
  return cluster(id, { kind: "NodePool", owner: { id: owner.id, kind, href }, tenancy, ...more });
}

/** What an adapter has reported. */
export function statusOf(adapter: string, time = 1_000): AdapterStatus {
  const conditions = [{ type: "Available", status: "True" as const, lastTransitionTime: time }];
  return { adapter, createdTime: time, verdict: { observedGeneration: 1, observedTime: time, conditions } };
}

/** Work that is urgent. */
export function urgent(resourceId: string, time: number, more: Partial<PlannedWork> = {}): PlannedWork {
  return { resourceId, kind: "Cluster", urgent: { time, cause: "create" }, refreshTime: undefined, ...more };
}

/** Work that is due at a time. */
export function refresh(resourceId: string, refreshTime: number | undefined): PlannedWork {
  return { resourceId, kind: "Cluster", refreshTime };
}

/** A change that replaces what was read. */
export function update({ resource, revision }: Stored, more: Partial<Resource> = {}, isDeclared = false): Update {
  return { resource: { ...resource, ...more }, revision, isDeclared };
}

/** Creates resources, each by a change of its own. Their parents are touched. */
export async function create(store: FleetStore, ...resources: readonly Resource[]): Promise<void> {
  for (const resource of resources) {
    const parent = resource.owner === undefined ? undefined : await loaded(store, resource.owner.id);
    const touched = parent === undefined ? [] : [{ id: parent.resource.id, revision: parent.revision }];
    const outcome = await store.commit({ entry: entryOf(resource), created: [resource], touched });
    if (outcome.kind !== "committed") throw new Error(`${resource.id} was not created: ${canonicalJson(outcome)}`);
  }
}

/** A resource that must be there. */
export async function loaded(store: FleetStore, id: string): Promise<Stored> {
  const stored = await store.load({ id, scope: EVERY_TENANT });
  if (stored === undefined) throw new Error(`there is no ${id}`);
  return stored;
}

/** A report that an adapter made on a resource, with what it changed. */
export async function report(store: FleetStore, id: string, adapter: string, time: number): Promise<ChangeSet> {
  const stored = await loaded(store, id);
  const conditions = allConditions([
    condition("Reconciled", "True", time),
    condition("LastKnownReconciled", "True", time),
  ]);
  return {
    entry: entryOf(stored.resource, { action: "report", adapter, time, details: { outcome: "verdict" } }),
    updated: [{ ...update(stored, { conditions }), before: stored.resource }],
    statuses: [{ resourceId: id, status: statusOf(adapter, time) }],
    work: [refresh(id, time + 10_000)],
  };
}

/** A report of progress, which changes no condition. */
export async function progress(store: FleetStore, id: string, adapter: string, time: number): Promise<ChangeSet> {
  const { updated = [], ...rest } = await report(store, id, adapter, time);
  return { ...rest, touched: updated.map(({ revision }) => ({ id, revision })) };
}

/** A cluster on which adapters have reported, so that its conditions have all their types. */
export function reportedCluster(id: string): Resource {
  const conditions = allConditions([condition("Reconciled", "False"), condition("LastKnownReconciled", "False")]);
  return cluster(id, { conditions });
}

/** The scope of one tenant. */
export function tenant(tenancy: TextMap): { readonly kind: "tenant"; readonly tenancy: TextMap } {
  return { kind: "tenant", tenancy };
}
