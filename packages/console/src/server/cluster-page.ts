import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { verdictOf } from "@levelset/fleet/client";
import type { KindDescription, WireAdapterStatus, WireJournalEntry, WireResource } from "@levelset/fleet/client";
import type { AdapterView, ClusterDocument, FleetRelative, JournalView } from "../api/index.ts";
import { fleetCell } from "./fleet-row.ts";
import type { FleetView } from "./fleet-view.ts";
import { yamlLines } from "./yaml-lines.ts";

/** How many entries of the history are shown, and how many children. */
const JOURNAL_MAX = 200;
const CHILDREN_MAX = 500;

/** All that is known about one resource of a fleet. */
export async function clusterPage(
  { plural, id }: { readonly plural: string; readonly id: string },
  fleet: FleetView,
  signal: AbortSignal,
): Promise<ClusterDocument> {
  const kind = fleet.kinds.find((each) => each.plural === plural);
  if (kind === undefined) throw new InputError(`the fleet has no kind ${JSON.stringify(plural)}`);
  const collection = fleet.client.collection(kind);
  const [{ resource }, statuses, reports, changes] = await Promise.all([
    collection.get(id, { signal }),
    firstOf(collection.statuses(id, { signal }), JOURNAL_MAX),
    firstOf(collection.history(id, { signal }), JOURNAL_MAX),
    firstOf(fleet.client.audit({ resourceId: id, signal }), JOURNAL_MAX).catch(() => []), // not everybody may read the audit
  ]);
  const { spec, labels = {}, deleted_time: deletedAt, owner_references: parent } = resource;
  return {
    id,
    kind: resource.kind,
    plural,
    name: resource.name,
    generation: resource.generation,
    createdAt: resource.created_time,
    createdBy: resource.created_by,
    updatedAt: resource.updated_time,
    updatedBy: resource.updated_by,
    ...(deletedAt === undefined ? {} : { deletedAt }),
    conditions: resource.status.conditions.map(({ type, status, reason = "", message = "", ...times }) => ({
      type,
      status,
      reason,
      message,
      generation: times.observed_generation,
      since: times.last_transition_time,
    })),
    adapters: adapterViews(resource, kind, statuses),
    journal: [...reports, ...changes].map(journalView).toSorted((a, b) => b.time.localeCompare(a.time, "en")),
    ...(parent === undefined ? {} : { parent: parentView(parent, fleet) }),
    children: await childrenOf(resource, kind, fleet, signal),
    yaml: yamlLines({ labels, spec }, []),
  };
}

function adapterViews(
  resource: WireResource,
  kind: KindDescription,
  statuses: readonly WireAdapterStatus[],
): readonly AdapterView[] {
  const names = [...new Set([...kind.requiredAdapters, ...statuses.map(({ adapter }) => adapter)])];
  return names.map((adapter) => {
    const status = statuses.find((each) => each.adapter === adapter);
    const cell = verdictOf(resource, adapter) === undefined && status !== undefined ? ofStatus(status, resource) : {};
    return {
      ...fleetCell(resource, adapter),
      ...cell,
      ...(status === undefined ? {} : { reportedAt: status.last_report_time }),
      conditions: (status?.conditions ?? []).map(({ type, status: value, reason = "", message = "", ...times }) => ({
        type,
        status: value,
        reason,
        message,
        since: times.last_transition_time,
      })),
      ...(status?.progress === undefined ? {} : { progress: progressOf(status.progress) }),
    };
  });
}

/** An adapter that is not required has no verdict among the resource's conditions. */
function ofStatus(status: WireAdapterStatus, { generation }: WireResource): Pick<AdapterView, "state" | "generation"> {
  const isAvailable = status.conditions.some(({ type, status: value }) => type === "Available" && value === "True");
  const isLatest = status.observed_generation >= generation;
  return { state: isLatest ? (isAvailable ? "done" : "failed") : "behind", generation: status.observed_generation };
}

function progressOf(progress: NonNullable<WireAdapterStatus["progress"]>): NonNullable<AdapterView["progress"]> {
  const { observed_generation: generation, observed_time: at, conditions } = progress;
  const told = conditions.find(({ type }) => type === "Available");
  return { generation, at, message: told?.message ?? told?.reason ?? "" };
}

function journalView(entry: WireJournalEntry): JournalView {
  const { id, time, action, by, generation, adapter, details } = entry;
  const state = action === "report" ? reportState(details) : undefined;
  return {
    id: `${action}-${id}`,
    time,
    action,
    by,
    generation,
    ...(adapter === undefined ? {} : { adapter }),
    ...(state === undefined ? {} : { state }),
  };
}

/** What a report said, as far as the history keeps it. */
function reportState(details: JsonObject | undefined): JournalView["state"] {
  const report = details?.["report"];
  const conditions = isJsonObject(report) ? report["conditions"] : undefined;
  if (!Array.isArray(conditions)) return undefined;
  const available: unknown = conditions.find((each) => isJsonObject(each) && each["type"] === "Available");
  const status = isJsonObject(available) ? available["status"] : undefined;
  if (status === undefined) return undefined;
  return status === "True" ? "done" : status === "False" ? "failed" : "behind";
}

function parentView({ id, kind }: { readonly id: string; readonly kind: string }, fleet: FleetView): FleetRelative {
  const plural = fleet.kinds.find((each) => each.kind === kind)?.plural ?? "";
  return { plural, id, kind, name: fleet.table.get(id)?.name ?? id };
}

async function childrenOf(
  resource: WireResource,
  kind: KindDescription,
  fleet: FleetView,
  signal: AbortSignal,
): Promise<readonly FleetRelative[]> {
  const below = fleet.kinds.filter(({ parentKind }) => parentKind === kind.kind);
  const lists = below.map(async (child) => {
    const found = await firstOf(
      fleet.client.collection(child, resource).list({ order: "name", fields: ["id", "kind", "name"], signal }),
      CHILDREN_MAX,
    );
    return found.map(({ id, name }) => ({ plural: child.plural, id, kind: child.kind, name }));
  });
  return (await Promise.all(lists)).flat();
}

async function firstOf<Item>(items: AsyncIterable<Item>, max: number): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length >= max) break;
  }
  return found;
}
