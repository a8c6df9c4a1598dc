import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { FleetProblem, isCurrent, verdictOf } from "@levelset/fleet/client";
import type {
  FleetCollection,
  KindDescription,
  WireAdapterStatus,
  WireCondition,
  WireJournalEntry,
  WirePulse,
  WireResource,
} from "@levelset/fleet/client";
import type { AdapterView, ClusterDocument, FleetRelative, JournalView, PulseView } from "../api/index.ts";
import { editableValue } from "./editable.ts";
import type { Editable } from "./editable.ts";
import { fleetCell, fleetRow } from "./fleet-row.ts";
import type { FleetView } from "./fleet-view.ts";
import { shownLines } from "./shown-lines.ts";
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
  const { kind, collection } = collectionOf(plural, fleet);
  const [{ resource }, statuses, pulse, reports, changes] = await Promise.all([
    collection.get(id, { signal }),
    firstOf(collection.statuses(id, { signal }), JOURNAL_MAX),
    collection.pulse(id, { signal }),
    firstOf(collection.history(id, { signal }), JOURNAL_MAX),
    firstOf(fleet.client.audit({ resourceId: id, signal }), JOURNAL_MAX).catch((error: unknown) => {
      if (error instanceof FleetProblem) return []; // not everybody may read the audit
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
    conditions: ownConditions(resource, kind).map(({ type, status, reason = "", message: words = "", ...times }) => ({
      type,
      status,
      reason,
      message: words,
      generation: times.observed_generation,
      since: times.last_transition_time,
    })),
    adapters: adapterViews(resource, kind, statuses),
    journal: [...reports, ...changes].map(journalView).toSorted((a, b) => b.time.localeCompare(a.time, "en")),
    ...(parent === undefined ? {} : { parent: parentView(parent, fleet) }),
    children: await childrenOf(resource, kind, fleet, signal),
    yaml: shownLines(yamlLines({ labels, spec }, [])),
    ...(editable.kind === "text" ? { editable: editable.text } : {}),
  };
}

/** The resources of a kind. */
export function collectionOf(
  plural: string,
  fleet: FleetView,
): { readonly kind: KindDescription; readonly collection: FleetCollection } {
  const kind = fleet.kinds.find((each) => each.plural === plural);
  if (kind === undefined) throw new InputError(`the fleet has no kind ${JSON.stringify(plural)}`);
  return { kind, collection: fleet.client.collection(kind) };
}

/** What of a resource can be edited. */
export function editableDeclaration({ labels = {}, spec }: WireResource): Editable {
  return editableValue({ labels, spec });
}

/** Other names of conditions, which say the same again. */
const ALIASES = new Map([
  ["Reconciled", "Ready"],
  ["LastKnownReconciled", "Available"],
]);

/** The conditions of a resource, each once. The verdicts of adapters are told with them. */
function ownConditions({ status }: WireResource, { requiredAdapters }: KindDescription): readonly WireCondition[] {
  const { conditions } = status;
  const verdicts = requiredAdapters.map((adapter) => verdictOf({ status }, adapter));
  const isTwice = ({ type }: WireCondition): boolean => conditions.some((other) => other.type === ALIASES.get(type));
  return conditions.filter((condition) => !verdicts.includes(condition) && !isTwice(condition));
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

/** An adapter that is not required has no verdict among the resource's conditions; nor has one that is at work on its first. */
function ofStatus(status: WireAdapterStatus, resource: WireResource): Pick<AdapterView, "state" | "generation"> {
  const { observed_generation: observed, conditions } = status;
  const available = conditions.find(({ type }) => type === "Available")?.status;
  if (!isCurrent(resource, status) || available === "Unknown") return { state: "behind", generation: observed };
  return { state: available === "True" ? "done" : "failed", generation: observed };
}

function progressOf(progress: NonNullable<WireAdapterStatus["progress"]>): NonNullable<AdapterView["progress"]> {
  const { observed_generation: generation, observed_time: at, conditions } = progress;
  const health = conditions.find(({ type }) => type === "Health");
  const isHealthy = health?.status !== "False";
  const shown = isHealthy ? conditions.find(({ type }) => type === "Available") : health;
  return { generation, at, message: shown?.message ?? shown?.reason ?? "", isHealthy };
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
