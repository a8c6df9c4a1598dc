import { Event, isNotFound, managerUid, StatusError } from "@levelset/core";
import type { JsonObject, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { conditionsOf, conditionState, metadataOnly, why } from "@levelset/operator";
import type { KindRef, ObjectNode, ObjectRef, RunJson } from "@levelset/operator";
import { formatRef } from "../api/index.ts";
import type { ConditionView, EventView, ObjectDocument, RelatedObject } from "../api/index.ts";
import type { ClusterView } from "./cluster-view.ts";
import type { ConditionHistory } from "./condition-history.ts";
import { recordedChanges } from "./condition-records.ts";
import { editableObject } from "./editable.ts";
import type { Processes } from "./processes.ts";
import { RecordBook } from "./records.ts";
import { scrubbedPage } from "./scrubbed-page.ts";
import { shownLines } from "./shown-lines.ts";
import { shownObject } from "./shown-object.ts";
import { writersOf } from "./writers.ts";
import { ownersOf, yamlLines } from "./yaml-lines.ts";

/** How many events about one object are shown, and how many objects of one kind are looked through for children. */
const EVENTS_MAX = 50;
const CHILDREN_READ = 500;
/** A state that is as old as its object, give or take the time that the first run takes. */
const BIRTH_MS = 5_000;

/** What the controllers of Kubernetes itself make. */
const MADE_BY: Readonly<Record<string, readonly KindRef[]>> = {
  Deployment: [{ apiVersion: "apps/v1", kind: "ReplicaSet" }],
  CronJob: [{ apiVersion: "batch/v1", kind: "Job" }],
  ReplicaSet: [{ apiVersion: "v1", kind: "Pod" }],
  StatefulSet: [{ apiVersion: "v1", kind: "Pod" }],
  DaemonSet: [{ apiVersion: "v1", kind: "Pod" }],
  Job: [{ apiVersion: "v1", kind: "Pod" }],
};

/** What a page is made from. */
export interface PageSources {
  readonly cluster: ClusterView;
  readonly processes: Processes;
}

/** All that is known about one object. One that is not there has a page that says so. */
export async function objectPage(
  ref: ObjectRef,
  { cluster, processes }: PageSources,
  signal: AbortSignal,
): Promise<ObjectDocument> {
  const { client, discovery, history } = cluster;
  const book = new RecordBook(processes, signal);
  const [node, found, silent, { runs, owns }] = await Promise.all([
    why(ref, { client, discovery, records: (asked) => book.of(asked) }, { signal }),
    readObject(ref, cluster, signal),
    book.silentAbout(ref),
    book.of(ref),
  ]);
  if (found === undefined) return { ...emptyPage(node), runs, silent };
  const { object, kind } = found;
  const [events, children] = await Promise.all([
    eventsOf(object, cluster, signal),
    childrenOf(object, owns ?? MADE_BY[object.kind] ?? [], cluster, signal),
  ]);
  const { shown, isMasked } = shownObject(object);
  const { creationTimestamp: createdAt, uid, finalizers = [] } = object.metadata;
  const editable = editableObject(object, kind);
  const near = [...ownersAbove(object), ...children];
  const page: ObjectDocument = {
    node,
    uid,
    ...(createdAt === undefined ? {} : { createdAt }),
    finalizers,
    conditions: conditionViews(object, history, runs),
    runs,
    silent,
    events,
    yaml: shownLines(yamlLines(shown, ownersOf(object))),
    isMasked,
    ...(editable.kind === "text" ? { editable: editable.text } : { uneditable: editable.why }),
    writers: writersOf(object),
    related: [...near, ...touchedBy(runs, [ref, ...near])],
  };
  return isMasked ? scrubbedPage(page, [object as unknown as JsonObject]) : page; // objects are JSON
}

/** The conditions of an object, with what they were before: as it was seen here, and before that as its operator recorded it. */
export function conditionViews(
  object: KubeObject,
  history: ConditionHistory,
  runs: readonly RunJson[],
): readonly ConditionView[] {
  const { uid, creationTimestamp: born = "" } = object.metadata;
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
      isWhole: first - Date.parse(born) < BIRTH_MS,
    };
  });
}

function emptyPage(node: ObjectNode): ObjectDocument {
  return {
    node,
    finalizers: [],
    conditions: [],
    runs: [],
    silent: [],
    events: [],
    yaml: [],
    isMasked: false,
    writers: [],
    related: [],
  };
}

/** What cannot be read is said by the explanation already. */
async function readObject(
  ref: ObjectRef,
  { client, discovery }: ClusterView,
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
  { client }: ClusterView,
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

/** What the last run was about besides: Secrets that it waits for, and the like. */
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
  { client, discovery }: ClusterView,
  signal: AbortSignal,
): Promise<readonly RelatedObject[]> {
  const { uid, namespace } = object.metadata;
  const lists = kinds.map(async (each): Promise<readonly RelatedObject[]> => {
    try {
      const kind = metadataOnly(await discovery.kindOf(each, { signal }));
      const where = kind.scope === "Namespaced" && namespace !== undefined ? { namespace } : {};
      const { items } = await client.list(kind, { ...where, limit: CHILDREN_READ, signal });
      return items
        .filter((item) => managerUid(item) === uid)
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
