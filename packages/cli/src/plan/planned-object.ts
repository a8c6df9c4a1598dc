import { isJsonObject } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { JsonObject, JsonValue, KubeObject } from "@levelset/core";
import { refOf } from "@levelset/operator/internal";
import type { ObjectRef } from "@levelset/operator";
import { maskAssigned } from "./assigned-value.ts";
import { plannedAction } from "./planned-action.ts";
import type { PlannedAction } from "./planned-action.ts";
import { podRestarts } from "./pod-restarts.ts";
import type { StoreChange } from "./store-changes.ts";

/** An object that would be created, changed, recreated or deleted. */
export interface PlannedObject {
  readonly action: PlannedAction;
  readonly ref: ObjectRef;
  /** The object as people write it: without fields that the server sets. Undefined if it does not exist. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  /** Finalizers that delay its deletion. */
  readonly finalizers: readonly string[];
  /** Number of pods that would be replaced. */
  readonly restarts: number;
  /** Whether it is a Job that would run. */
  readonly runs: boolean;
}

/** Result of the comparison of an object: a visible change, or only the records of levelset and of the server. */
export type PlannedChange = PlannedObject | "internal";

/** Classifies the writes of operators. `own` are the resources that they reconcile, whose status is reported separately. */
export function plannedObjects(
  changes: readonly StoreChange[],
  own: ReadonlySet<string>,
): ReadonlyMap<StoreChange, PlannedChange> {
  const uids = {
    deleted: new Set(
      changes.filter((change) => plannedAction(change) === "delete").flatMap(({ before }) => uidOf(before)),
    ),
    created: new Set(changes.filter(isNew).flatMap(({ after }) => uidOf(after))),
  };
  return new Map(changes.map((change) => [change, plannedObject(change, own.has(change.resource), uids)]));
}

interface PlannedUids {
  readonly deleted: ReadonlySet<string>;
  readonly created: ReadonlySet<string>;
}

function plannedObject(change: StoreChange, isOwn: boolean, uids: PlannedUids): PlannedChange {
  const named = change.after ?? change.before;
  const before = change.before && shownObject(change.before, { status: !isOwn && !isNew(change) });
  const shown = change.after && shownObject(change.after, { status: !isOwn && !isNew(change) });
  const after = shown && maskAssigned(shown, { newUids: uids.created, isNew: isNew(change) });
  const action = plannedAction(change);
  if (named === undefined || (action === "change" && deepEqual(before, after))) return "internal";
  return {
    action,
    ref: refOf(named),
    before,
    after: action === "delete" ? undefined : after,
    finalizers: action === "delete" ? (change.after?.metadata.finalizers ?? []) : [],
    restarts: podRestarts(change, action, uids.deleted),
    runs: change.resource === "jobs.batch" && (action === "create" || action === "recreate") && !isSuspended(after),
  };
}

function isNew(change: StoreChange): boolean {
  return ["create", "recreate"].includes(plannedAction(change));
}

function uidOf(object: KubeObject | undefined): readonly string[] {
  return object === undefined ? [] : [object.metadata.uid];
}

function isSuspended(job: JsonObject | undefined): boolean {
  const spec = job?.["spec"];
  return isJsonObject(spec) && spec["suspend"] === true;
}

/** Prefix of the labels and annotations in which levelset keeps its own records: owners, hashes, applied fields. */
const LEVELSET = "levelset.dev/";
/** Metadata fields that people set. */
const METADATA = ["name", "namespace", "labels", "annotations", "finalizers", "ownerReferences"] as const;

/** Returns an object without metadata of the server and of levelset, and without its status unless `status` is set. */
export function shownObject(object: KubeObject, { status: withStatus }: { readonly status: boolean }): JsonObject {
  // Objects are JSON; their interfaces only lack the index signature.
  const { metadata: _metadata, status, ...rest } = object as unknown as JsonObject;
  const { labels = {}, annotations = {} } = object.metadata;
  const shown = { ...object.metadata, labels: withoutRecords(labels), annotations: withoutRecords(annotations) };
  const metadata = Object.fromEntries(
    METADATA.filter((name) => !isEmpty(shown[name])).map((name) => [name, shown[name] as unknown as JsonValue]),
  );
  return { ...rest, metadata, ...(withStatus && status !== undefined ? { status } : {}) };
}

function withoutRecords(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !name.startsWith(LEVELSET)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}
