import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { FleetApiError, isCurrent, adapterConditionOf } from "@levelset/fleet/client";
import type {
  FleetCollection,
  KindDescription,
  WireAdapterStatus,
  WireCondition,
  WireJournalEntry,
  WirePulse,
  WireResource,
} from "@levelset/fleet/client";
import type {
  AdapterView,
  FleetResourceDocument,
  RelatedResource,
  JournalEntryView,
  PulseView,
} from "../../api/index.ts";
import { editableValue } from "./editable.ts";
import type { Editable } from "./editable.ts";
import { adapterCell, fleetRow } from "../monitor/fleet-row.ts";
import type { FleetMonitor } from "../monitor/fleet-monitor.ts";
import { truncateLines } from "../yaml/truncate-lines.ts";
import { yamlLines } from "../yaml/yaml-lines.ts";

/** Maximum number of history entries and of children on a page. */
const JOURNAL_MAX = 200;
const CHILDREN_MAX = 500;

/** Computes the page of a fleet resource. */
export async function fleetResourcePage(
  { plural, id }: { readonly plural: string; readonly id: string },
  fleet: FleetMonitor,
  signal: AbortSignal,
): Promise<FleetResourceDocument> {
  const { kind, collection } = collectionOf(plural, fleet);
  const [{ resource }, statuses, pulse, reports, changes] = await Promise.all([
    collection.get(id, { signal }),
    firstOf(collection.statuses(id, { signal }), JOURNAL_MAX),
    collection.pulse(id, { signal }),
    firstOf(collection.history(id, { signal }), JOURNAL_MAX),
    firstOf(fleet.client.audit({ resourceId: id, signal }), JOURNAL_MAX).catch((error: unknown) => {
      if (error instanceof FleetApiError) return []; // reading the audit log needs a separate permission
      throw error;
    }),
  ]);
  const { spec, labels = {}, deleted_time: deletedAt, owner_references: parent } = resource;
  const { state, message } = fleetRow(resource, kind);
  const editable = editableDeclaration(resource);
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
    state,
    message,
    ...(pulse === undefined ? {} : { pulse: pulseView(pulse) }),
    conditions: ownConditions(resource, kind).map(({ type, status, reason = "", message: text = "", ...times }) => ({
      type,
      status,
      reason,
      message: text,
      generation: times.observed_generation,
      since: times.last_transition_time,
    })),
    adapters: adapterViews(resource, kind, statuses),
    journal: [...reports, ...changes].map(journalView).toSorted((a, b) => b.time.localeCompare(a.time, "en")),
    ...(parent === undefined ? {} : { parent: parentView(parent, fleet) }),
    children: await childrenOf(resource, kind, fleet, signal),
    yaml: truncateLines(yamlLines({ labels, spec }, [])),
    ...(editable.kind === "text" ? { editable: editable.text } : {}),
  };
}

/** Returns a kind by its plural, and its resources. Throws an InputError if the fleet has no such kind. */
export function collectionOf(
  plural: string,
  fleet: FleetMonitor,
): { readonly kind: KindDescription; readonly collection: FleetCollection } {
  const kind = fleet.kinds.find((each) => each.plural === plural);
  if (kind === undefined) throw new InputError(`the fleet has no kind ${JSON.stringify(plural)}`);
  return { kind, collection: fleet.client.collection(kind) };
}

/** Returns the editable fields of a resource as YAML. */
export function editableDeclaration({ labels = {}, spec }: WireResource): Editable {
  return editableValue({ labels, spec });
}

/** Aliases of conditions: each has the same content as the condition that it maps to. */
const ALIASES = new Map([
  ["Reconciled", "Ready"],
  ["LastKnownReconciled", "Available"],
]);

/** Returns the conditions of a resource without aliases and without those of adapters, which are shown separately. */
function ownConditions({ status }: WireResource, { requiredAdapters }: KindDescription): readonly WireCondition[] {
  const { conditions } = status;
  const ofAdapters = requiredAdapters.map((adapter) => adapterConditionOf({ status }, adapter));
  const isAlias = ({ type }: WireCondition): boolean => conditions.some((other) => other.type === ALIASES.get(type));
  return conditions.filter((condition) => !ofAdapters.includes(condition) && !isAlias(condition));
}

function pulseView({ last_time: lastAt, next_time: nextAt, reason, adapters }: WirePulse): PulseView {
  return {
    ...(lastAt === undefined ? {} : { lastAt }),
    ...(nextAt === undefined ? {} : { nextAt }),
    ...(reason === undefined ? {} : { reason }),
    adapters: adapters.map(({ adapter, due_time: dueAt }) => ({ adapter, dueAt })),
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
    const cell =
      adapterConditionOf(resource, adapter) === undefined && status !== undefined ? ofStatus(status, resource) : {};
    return {
      ...adapterCell(resource, adapter),
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

/** Returns the state of an adapter that has no condition on the resource: it is not required, or has no result yet. */
function ofStatus(status: WireAdapterStatus, resource: WireResource): Pick<AdapterView, "state" | "generation"> {
  const { observed_generation: observed, conditions } = status;
  const available = conditions.find(({ type }) => type === "Available")?.status;
  if (!isCurrent(resource, status) || available === "Unknown") return { state: "progressing", generation: observed };
  return { state: available === "True" ? "ready" : "degraded", generation: observed };
}

function progressOf(progress: NonNullable<WireAdapterStatus["progress"]>): NonNullable<AdapterView["progress"]> {
  const { observed_generation: generation, observed_time: at, conditions } = progress;
  const health = conditions.find(({ type }) => type === "Health");
  const isHealthy = health?.status !== "False";
  const shown = isHealthy ? conditions.find(({ type }) => type === "Available") : health;
  return { generation, at, message: shown?.message ?? shown?.reason ?? "", isHealthy };
}

function journalView(entry: WireJournalEntry): JournalEntryView {
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

/** Returns the state in a report; undefined if the history does not store it. */
function reportState(details: JsonObject | undefined): JournalEntryView["state"] {
  const report = details?.["report"];
  const conditions = isJsonObject(report) ? report["conditions"] : undefined;
  if (!Array.isArray(conditions)) return undefined;
  const available: unknown = conditions.find((each) => isJsonObject(each) && each["type"] === "Available");
  const status = isJsonObject(available) ? available["status"] : undefined;
  if (status === undefined) return undefined;
  return status === "True" ? "ready" : status === "False" ? "degraded" : "progressing";
}

function parentView(
  { id, kind }: { readonly id: string; readonly kind: string },
  fleet: FleetMonitor,
): RelatedResource {
  const plural = fleet.kinds.find((each) => each.kind === kind)?.plural ?? "";
  return { plural, id, kind, name: fleet.table.get(id)?.name ?? id };
}

async function childrenOf(
  resource: WireResource,
  kind: KindDescription,
  fleet: FleetMonitor,
  signal: AbortSignal,
): Promise<readonly RelatedResource[]> {
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
