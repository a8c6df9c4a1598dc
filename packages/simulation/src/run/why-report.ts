import { createApiServer } from "@levelset/apiserver";
import { apiVersionOf } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import { parseApiVersion } from "@levelset/core/internal";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { Client, Discovery, why } from "@levelset/operator";
import type { ObjectNode, ObjectRef } from "@levelset/operator";
import { refOf, runJson } from "@levelset/operator/internal";
import type { ObjectRunRecords } from "@levelset/operator/internal";
import type { Subject } from "../subject/index.ts";
import type { Violation } from "../violation/index.ts";
import { describeRecord } from "../world/index.ts";
import type { CapturedState, Journal, ObjectRecord } from "../world/index.ts";

/** When a violation was found, and the custom resources that it concerns, as `levelset why` explains them. */
export interface WhyReport {
  /** Virtual milliseconds since the start of the run. */
  readonly atMs: number;
  /** The virtual time, in milliseconds since the epoch. Ages count from it. */
  readonly now: number;
  /** The number of events of the run until then. */
  readonly events: number;
  /** Empty if none existed any more. */
  readonly objects: readonly ObjectNode[];
  /** Number of omitted custom resources. */
  readonly left: number;
}

/** Custom resources that are explained. */
const OBJECTS_MAX = 3;
/** Owners between an object and its custom resource. */
const OWNERS_MAX = 8;

/**
 * Explains the custom resources that a violation concerns in the state when it was found. Those that did not exist then
 * are left out. Returns undefined without a state.
 */
export async function reportWhy(
  violation: Violation,
  state: CapturedState | undefined,
  journal: Journal,
  { isRootKind, controllers }: Pick<Subject, "isRootKind" | "controllers">,
): Promise<WhyReport | undefined> {
  if (state === undefined) return undefined;
  const nodes = await explainObjects(state, concernedObjects(violation, journal, isRootKind), controllers);
  const present = nodes.filter((node) => node.state !== "missing");
  const { atMs, now, events } = state;
  return { atMs, now, events, objects: present.slice(0, OBJECTS_MAX), left: Math.max(0, present.length - OBJECTS_MAX) };
}

async function explainObjects(
  state: CapturedState,
  objects: readonly KubeObject[],
  controllers: Subject["controllers"],
): Promise<readonly ObjectNode[]> {
  const server = createApiServer({
    store: state.store.fork(),
    clock: new VirtualClock(state.now),
    random: seededRandom(1),
    controllers: { garbageCollector: false, ttlAfterFinished: false, workloads: false },
  });
  try {
    const client = new Client({ fetch: server.fetch, fieldManager: "levelset-simulation" });
    const sources = { client, discovery: new Discovery(client), records: recordsOf(state, controllers) };
    const nodes: ObjectNode[] = [];
    for (const object of objects) nodes.push(await why(refOf(object), sources));
    return nodes;
  } finally {
    server.close();
  }
}

/** Returns the run records of the simulated processes, as their `/debug/runs` has them. */
function recordsOf(
  { runs }: CapturedState,
  controllers: Subject["controllers"],
): (ref: ObjectRef) => Promise<ObjectRunRecords> {
  return async (ref) => {
    const { group } = parseApiVersion(ref.apiVersion);
    const controller = controllers.find(({ kind }) => kind.kind === ref.kind && kind.group === group);
    if (controller === undefined) return { runs: [], owns: undefined };
    const own = runs.filter(
      ({ operator, record: { key } }) =>
        operator === controller.name && key.name === ref.name && key.namespace === ref.namespace,
    );
    const owns = controller.owns.map((child) => ({ apiVersion: apiVersionOf(child), kind: child.kind }));
    return { runs: own.map(({ record }) => runJson(controller, record)), owns };
  };
}

/**
 * Returns the custom resources that a violation concerns: its objects and those in its differences, or their owners. If
 * there are none, all custom resources of users.
 */
function concernedObjects(
  { object = "", differences = [] }: Violation,
  journal: Journal,
  isRootKind: Subject["isRootKind"],
): readonly KubeObject[] {
  const all = journal.all();
  // Kinds of several groups may have one name.
  const byText = Map.groupBy(all, describeRecord);
  const byUid = new Map(all.flatMap((record) => record.uids.map((uid) => [uid, record] as const)));
  const ownersOf = (record: ObjectRecord, depth = 0): readonly ObjectRecord[] => {
    if (isRootKind(record.object)) return [record];
    if (depth === OWNERS_MAX) return [];
    return journal.ownerUids(record).flatMap((uid) => {
      const owner = byUid.get(uid);
      return owner === undefined ? [] : ownersOf(owner, depth + 1);
    });
  };
  const texts = [object, ...differences.map((each) => each.object)];
  const concerned = texts.flatMap((text) => byText.get(text) ?? []).flatMap((record) => ownersOf(record));
  const ofUsers = all.filter((record) => journal.isOfUser(record) && isRootKind(record.object));
  return [...new Set(concerned.length === 0 ? ofUsers : concerned)].map((record) => record.object);
}
