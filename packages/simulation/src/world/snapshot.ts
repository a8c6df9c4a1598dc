import { controllerOf, isJsonObject, isReady, readinessOf } from "@levelset/core";
import type { Condition, JsonObject, JsonValue, KubeObject } from "@levelset/core";
import { canonicalJson, deepEqual, SECRET_MASK } from "@levelset/core/internal";
import type { ApiObject } from "@levelset/apiserver";
import { differencesOf } from "../violation/index.ts";
import type { Difference } from "../violation/index.ts";
import { formatId, idOf, MARK_PREFIX } from "../history/index.ts";
import type { Journal, ObjectRecord } from "./journal.ts";
import { describeKey, objectKey } from "./object-key.ts";

/** The objects of operators at one time, in a form that is equal for equal worlds. Objects are named by their keys. */
export interface Snapshot {
  /** Object → its fields without names, times and numbers that the server generates. */
  readonly objects: ReadonlyMap<string, JsonObject>;
  /** The custom resources of the user → whether they are ready. */
  readonly roots: ReadonlyMap<string, boolean>;
  /** The children with generated names, by name pattern and owner. */
  readonly generated: readonly GeneratedChildren[];
  /**
   * Objects that depend on the history: Jobs that users deleted after they had completed need not run again, an object of
   * a user is a child of an operator once it was deleted and created again, and Operands leave objects that their users
   * want to stay.
   */
  readonly incomparable: ReadonlySet<string>;
  /**
   * Jobs that completed and were deleted → their specs. A Job of the same spec need not run again, such as one that the
   * program replaces and wants again before it creates the other.
   */
  readonly completed: ReadonlyMap<string, JsonValue>;
}

/** The live children of one owner whose names the server generated from the same `generateName`. */
export interface GeneratedChildren {
  /** The key of the kind and the pattern of the names: `ConfigMap default/a-*`. */
  readonly id: string;
  /** The key of the owner: `Thing.example.com default/a`. */
  readonly owner: string;
  readonly count: number;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/u;
/** Fields whose default depends on the first content: it stays when the image changes (docs: Images, Default pull policy). */
const STICKY_DEFAULTS: ReadonlySet<string> = new Set(["imagePullPolicy"]);
/** Annotations that count how often something happened. */
const COUNTERS: ReadonlySet<string> = new Set(["deployment.kubernetes.io/revision"]);

/**
 * Takes a snapshot of the children of operators and of the custom resources of the user. `userDeleted` are the uids of
 * objects that users deleted.
 */
export function takeSnapshot(
  journal: Journal,
  isRootKind: (object: KubeObject) => boolean,
  userDeleted: ReadonlySet<string>,
): Snapshot {
  const objects = new Map<string, JsonObject>();
  const roots = new Map<string, boolean>();
  const generated: [string, JsonObject][] = [];
  for (const record of journal.present()) {
    const { object } = record;
    const isRoot = isRootKind(object) && journal.isOfUser(record);
    if (!isRoot && !journal.isChild(record)) continue;
    const normal = isRoot ? normalRoot(object) : normalChild(object, isRootKind(object));
    const { generateName } = object.metadata;
    if (isRoot) roots.set(keyOf(record), isReady(object));
    if (generateName === undefined) objects.set(keyOf(record), normal);
    else generated.push([patternOf(object, generateName), normal]);
  }
  generated
    .toSorted(([idA, a], [idB, b]) => compare(idA + canonicalJson(a), idB + canonicalJson(b)))
    .forEach(([id, normal], at, all) => {
      const index = all.slice(0, at).filter(([other]) => other === id).length;
      objects.set(`${id}${index === 0 ? "" : ` (${index + 1})`}`, normal);
    });
  const deleted = journal.all().filter(({ isDeleted, object }) => isDeleted && userDeleted.has(object.metadata.uid));
  const deletedJobs = deleted.filter(({ object }) => isCompletedJob(object));
  const completed = new Map(
    journal
      .all()
      .filter(({ isDeleted, object }) => isDeleted && isCompletedJob(object))
      .map((record) => [keyOf(record), specOf(normalChild(record.object, false))]),
  );
  const ofUsers = journal.present().filter((record) => journal.isOfUser(record) && !isRootKind(record.object));
  const leftovers = journal.children().filter((record) => journal.isLeftover(record));
  const incomparable = new Set([...deletedJobs, ...ofUsers, ...leftovers].map(keyOf));
  return { objects, roots, generated: generatedChildren(journal), incomparable, completed };
}

function generatedChildren(journal: Journal): readonly GeneratedChildren[] {
  const present = new Map(journal.present().map(({ object }) => [object.metadata.uid, object]));
  const counts = new Map<string, GeneratedChildren>();
  for (const { object } of journal.children()) {
    const { generateName, deletionTimestamp } = object.metadata;
    const owner = present.get(controllerOf(object)?.uid ?? "");
    if (generateName === undefined || deletionTimestamp !== undefined || owner === undefined) continue;
    const group = { id: patternOf(object, generateName), owner: objectKey(idOf(owner)) };
    const key = `${group.id} ${owner.metadata.uid}`;
    counts.set(key, { ...group, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

function patternOf(object: ApiObject, generateName: string): string {
  return objectKey({ ...idOf(object), name: `${generateName}*` });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the differences of two snapshots. The paths of `noise` differ between equal worlds and are ignored. */
export function compareSnapshots(
  expected: Snapshot,
  actual: Snapshot,
  noise: ReadonlySet<string> = new Set(),
): readonly Difference[] {
  const ids = [...new Set([...expected.objects.keys(), ...actual.objects.keys()])].toSorted();
  const mayDiffer = (id: string): boolean => expected.incomparable.has(id) || actual.incomparable.has(id);
  return ids
    .filter((id) => !mayDiffer(id) && !hasCompleted(id, expected, actual) && !hasCompleted(id, actual, expected))
    .flatMap((id) => differencesOf(describeKey(id), expected.objects.get(id), actual.objects.get(id)))
    .filter((difference) => !isNoise(difference, noise))
    .map((difference) => (difference.object.startsWith("Secret ") ? masked(difference) : difference));
}

/** Reports whether an object is a Job that has completed, also while it is being deleted. */
function isCompletedJob(object: ApiObject): boolean {
  const { deletionTimestamp: _, ...metadata } = object.metadata;
  return object.kind === "Job" && readinessOf({ ...object, metadata }).kind === "ready";
}

/** Reports whether an object that is missing in one snapshot is a Job which completed there. */
function hasCompleted(id: string, there: Snapshot, missing: Snapshot): boolean {
  const [object, spec] = [there.objects.get(id), missing.completed.get(id)];
  if (object === undefined || spec === undefined || missing.objects.has(id)) return false;
  return deepEqual(specOf(object), spec);
}

function specOf({ spec = {} }: JsonObject): JsonValue {
  return spec;
}

/** Reports whether a set of noise has the path of a difference, a path above it, or its whole kind. */
function isNoise(difference: Difference, noise: ReadonlySet<string>): boolean {
  if (noise.has(noiseKey(difference))) return true;
  const { object, path } = difference;
  const kind = object.slice(0, object.indexOf(" "));
  const names = path.split(".");
  return noise.has(kind) || names.some((_, at) => noise.has(`${kind} ${names.slice(0, at).join(".")}`));
}

/** Returns the key of a difference in a set of noise: the kind and the path. */
export function noiseKey({ object, path }: Difference): string {
  const kind = object.slice(0, object.indexOf(" "));
  return path === "" ? object : `${kind} ${path}`;
}

function masked(difference: Difference): Difference {
  const { path, expected, actual } = difference;
  if (!path.startsWith("data") && path !== "") return difference;
  const mask = (text: string | undefined): string | undefined => (text === undefined ? undefined : SECRET_MASK);
  return { ...difference, expected: mask(expected), actual: mask(actual) };
}

/** A custom resource: its state. The spec is the user's. */
function normalRoot(object: ApiObject): JsonObject {
  const { finalizers = [], deletionTimestamp } = object.metadata;
  return clean({
    finalizers: [...finalizers],
    ...(deletionTimestamp === undefined ? {} : { deleting: true }),
    status: statusOf(object),
  });
}

function normalChild(object: ApiObject, isRootKind: boolean): JsonObject {
  const { apiVersion: _a, kind: _k, metadata, status: _s, ...fields } = object;
  const { labels = {}, annotations = {}, finalizers = [], deletionTimestamp } = metadata;
  const own = Object.entries(annotations).filter(([name]) => !name.startsWith(MARK_PREFIX) && !COUNTERS.has(name));
  const owner = controllerOf(object);
  return clean({
    labels: { ...labels },
    annotations: Object.fromEntries(own),
    finalizers: [...finalizers],
    ...(deletionTimestamp === undefined ? {} : { deleting: true }),
    ...(owner === undefined ? {} : { controller: `${owner.kind} ${owner.name}` }),
    ...(fields as JsonObject), // a stored object is JSON
    ...(isRootKind ? { status: statusOf(object) } : { ready: readinessOf(object).kind === "ready" }),
  });
}

/** Returns the status with conditions as `status reason`, because their messages may have numbers and times. */
function statusOf(object: ApiObject): JsonObject {
  const status = object["status"];
  if (!isJsonObject(status)) return { ready: false };
  const { conditions, observedGeneration: _o, ...rest } = status;
  const list = Array.isArray(conditions) ? (conditions as unknown as readonly Condition[]) : []; // validated by the CRD
  return {
    ...rest,
    ready: isReady(object),
    conditions: Object.fromEntries(list.map(({ type, status: state, reason }) => [type, `${state} ${reason ?? ""}`])),
  };
}

function clean(value: JsonObject): JsonObject {
  return cleaned(value) as JsonObject; // an object stays an object
}

function cleaned(value: JsonValue): JsonValue {
  if (typeof value === "string") return TIME.test(value) ? "<time>" : value.replaceAll(UUID, "<uid>");
  if (Array.isArray(value)) return value.map((item: JsonValue) => cleaned(item));
  if (!isJsonObject(value)) return value;
  // Labels of an Operand have its uid in their names.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !STICKY_DEFAULTS.has(key))
      .map(([key, child]) => [key.replaceAll(UUID, "<uid>"), cleaned(child)]),
  );
}

/** Returns the key of the object of a record. */
export function keyOf({ object }: Pick<ObjectRecord, "object">): string {
  return objectKey(idOf(object));
}

/** Formats the object of a record for people: `Deployment default/a`. */
export function describeRecord({ object }: Pick<ObjectRecord, "object">): string {
  return formatId(idOf(object));
}
