import { Event, isNotFound, StatusError } from "@levelset/core";
import { controllingOwnerUid } from "@levelset/core/internal";
import type { JsonObject, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { conditionsOf, conditionState, createdKindOf } from "@levelset/operator/internal";
import { metadataOnly, why } from "@levelset/operator";
import type { KindRef, RunJson } from "@levelset/operator/internal";
import type { ObjectNode, ObjectRef } from "@levelset/operator";
import { formatRef } from "../../api/index.ts";
import type { ConditionView, EventView, ObjectDocument, RelatedObject } from "../../api/index.ts";
import type { ClusterMonitor } from "../monitor/cluster-monitor.ts";
import type { ConditionHistory } from "../monitor/condition-history.ts";
import { recordedChanges } from "./condition-records.ts";
import { displayStatus } from "../monitor/display-state.ts";
import { editableObject } from "./editable.ts";
import type { Processes } from "../monitor/processes.ts";
import { RunRecordCache } from "../monitor/run-record-cache.ts";
import { redactPage } from "./redact-page.ts";
import { truncateLines } from "../yaml/truncate-lines.ts";
import { redactObject } from "./redact-object.ts";
import { fieldManagersOf } from "./field-managers.ts";
import { fieldOwnersOf, yamlLines } from "../yaml/yaml-lines.ts";

/** Maximum number of events on a page, and of objects of one kind that are searched for children. */
const EVENTS_MAX = 50;
const CHILDREN_READ = 500;
/** A history that starts within this time after the creation is complete: the first run takes a while. */
const FIRST_RUN_MS = 5_000;

/** Sources of an object page. */
export interface PageSources {
  readonly cluster: ClusterMonitor;
  readonly processes: Processes;
}

/** Computes the page of an object. An object that does not exist has a page with the state Unknown. */
export async function objectPage(
  ref: ObjectRef,
  { cluster, processes }: PageSources,
  signal: AbortSignal,
): Promise<ObjectDocument> {
  const { client, discovery, history } = cluster;
  const cache = new RunRecordCache(processes, signal);
  const [node, found, unreachable, { runs, owns }] = await Promise.all([
    why(ref, { client, discovery, records: (requested) => cache.get(requested) }, { signal }),
    readObject(ref, cluster, signal),
    cache.unreachableFor(ref),
    cache.get(ref),
  ]);
  if (found === undefined) return { ...emptyPage(node), runs, unreachable };
  const { object, kind } = found;
  const created = createdKindOf(object);
  const [events, children] = await Promise.all([
    eventsOf(object, cluster, signal),
    childrenOf(object, owns ?? (created === undefined ? [] : [created]), cluster, signal),
  ]);
  const { shown, isMasked } = redactObject(object);
  const { creationTimestamp: createdAt, uid, finalizers = [] } = object.metadata;
  const editable = editableObject(object, kind);
  const near = [...ownersAbove(object), ...children];
  const page: ObjectDocument = {
    ...displayStatus(object, kind.hasStatus),
    node,
    uid,
    ...(createdAt === undefined ? {} : { createdAt }),
    finalizers,
    conditions: conditionViews(object, history, runs),
    runs,
    unreachable,
    events,
    yaml: truncateLines(yamlLines(shown, fieldOwnersOf(object))),
    isRedacted: isMasked,
    ...(editable.kind === "text" ? { editable: editable.text } : { editRefusal: editable.why }),
    fieldManagers: fieldManagersOf(object),
    related: [...near, ...touchedBy(runs, [ref, ...near])],
  };
  return isMasked ? redactPage(page, [object as unknown as JsonObject]) : page; // objects are JSON
}

/** Returns the conditions of an object. Earlier states are those observed by the console, then those of run records. */
export function conditionViews(
  object: KubeObject,
  history: ConditionHistory,
  runs: readonly RunJson[],
): readonly ConditionView[] {
  const { uid, creationTimestamp = "" } = object.metadata;
  return conditionsOf(object).map((condition) => {
    const { type, status, reason, message, lastTransitionTime: since } = condition;
    const seen = history.of(uid, type);
    const earlier = [...seen, ...recordedChanges(runs, type, [{ status, since }, ...seen])];
    const first = Date.parse(earlier.at(-1)?.since ?? since);
    return {
      type,
      status,
      reason,
      message,
      state: conditionState(condition),
      ...(since === "" ? {} : { since }),
      history: earlier,
      isComplete: first - Date.parse(creationTimestamp) < FIRST_RUN_MS,
    };
  });
}

function emptyPage(node: ObjectNode): ObjectDocument {
  return {
    state: "unknown",
    message: node.message,
    node,
    finalizers: [],
    conditions: [],
    runs: [],
    unreachable: [],
    events: [],
    yaml: [],
    isRedacted: false,
    fieldManagers: [],
    related: [],
  };
}

/** Returns undefined if the object does not exist or may not be read; the explanation contains the reason. */
async function readObject(
  ref: ObjectRef,
  { client, discovery }: ClusterMonitor,
  signal: AbortSignal,
): Promise<{ readonly object: KubeObject; readonly kind: Kind } | undefined> {
  try {
    const kind = await discovery.kindOf(ref, { signal });
    return { kind, object: await client.get(kind, ref, { signal }) };
  } catch (error) {
    if (isNotFound(error) || (error instanceof StatusError && error.reason === "Forbidden")) return undefined;
    throw error;
  }
}

async function eventsOf(
  object: KubeObject,
  { client }: ClusterMonitor,
  signal: AbortSignal,
): Promise<readonly EventView[]> {
  const { uid, namespace = "default" } = object.metadata;
  try {
    const fields = `involvedObject.uid=${uid}`;
    const { items } = await client.list(Event, { namespace, fields, limit: 10 * EVENTS_MAX, signal });
    const views = items.map(eventView);
    return views.toSorted((a, b) => (b.last ?? "").localeCompare(a.last ?? "", "en")).slice(0, EVENTS_MAX);
  } catch (error) {
    if (error instanceof StatusError) return [];
    throw error;
  }
}

function eventView(event: ObjectOf<typeof Event>): EventView {
  const { type = "Normal", reason = "", message = "", series, count, lastTimestamp, eventTime, metadata } = event;
  const last = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
  return {
    type,
    reason,
    message,
    count: series?.count ?? count ?? 1,
    ...(last === undefined || last === null ? {} : { last }),
  };
}

function ownersAbove(object: KubeObject): readonly RelatedObject[] {
  const { namespace, ownerReferences = [] } = object.metadata;
  return ownerReferences.map(({ apiVersion, kind, name }) => ({
    apiVersion,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    relation: "owner",
  }));
}

/** Returns further objects that steps of the last run refer to, for example Secrets that they wait for. */
function touchedBy(runs: readonly RunJson[], known: readonly ObjectRef[]): readonly RelatedObject[] {
  const touched = (runs.at(-1)?.steps ?? []).flatMap(({ on = [] }) => on);
  const ids = new Set(known.map(formatRef));
  return touched.flatMap((ref): readonly RelatedObject[] => {
    const id = formatRef(ref);
    if (ids.has(id)) return [];
    ids.add(id);
    return [{ ...ref, relation: "touched" }];
  });
}

async function childrenOf(
  object: KubeObject,
  kinds: readonly KindRef[],
  { client, discovery }: ClusterMonitor,
  signal: AbortSignal,
): Promise<readonly RelatedObject[]> {
  const { uid, namespace } = object.metadata;
  const lists = kinds.map(async (each): Promise<readonly RelatedObject[]> => {
    try {
      const kind = metadataOnly(await discovery.kindOf(each, { signal }));
      const where = kind.scope === "Namespaced" && namespace !== undefined ? { namespace } : {};
      const { items } = await client.list(kind, { ...where, limit: CHILDREN_READ, signal });
      return items
        .filter((item) => controllingOwnerUid(item) === uid)
        .map(({ metadata }) => ({
          ...each,
          ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
          name: metadata.name,
          relation: "child",
        }));
    } catch (error) {
      if (error instanceof StatusError) return [];
      throw error;
    }
  });
  return (await Promise.all(lists)).flat();
}
