import { generationState } from "@levelset/core";
import { mapConcurrent } from "@levelset/core/internal";
import type { KubeObject, ObjectOf, Readiness } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import { ItemApplier } from "../apply/apply-item.ts";
import { ItemCache } from "../apply/item-cache.ts";
import { watchedKinds } from "../apply/watched-kinds.ts";
import { healthGate } from "../spec/health-gate.ts";
import type { HealthGate } from "../spec/health-gate.ts";
import type { HealthRules } from "../spec/health-rules.ts";
import type { ManifestItem } from "../spec/item.ts";
import { ClusterActiveOperand } from "../spec/operand-kinds.ts";
import type { Operand } from "../spec/operand-kinds.ts";
import { keyOfRef, liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import { ReadinessDeadlines } from "../apply/readiness-deadlines.ts";
import { JobRuns } from "../apply/job-runs.ts";
import { failureOf } from "../apply/apply-job.ts";
import { inventoryOf } from "./plan.ts";
import type { PlanWorld } from "./plan.ts";
import { resolveSet } from "../spec/resolve-set.ts";
import { resolveRefKind } from "../spec/kind-resolver.ts";
import { SetSnapshot } from "./snapshot.ts";

/** State of one object of a set. */
export interface InspectedItem {
  readonly ref: LiveRef;
  /** Whether the object exists and matches its manifest. */
  readonly state: "missing" | "differs" | "applied";
  readonly readiness: Readiness;
  /** What the object waits for or what is wrong with it; absent if it is fine. */
  readonly message?: string;
}

/** State of the objects of a set. */
export type Inspection =
  | {
      readonly kind: "set";
      readonly items: readonly InspectedItem[];
      /** Number of objects pruned since this generation was stored. */
      readonly pruned: number;
      /** Number of objects to prune in total: pruned ones and pending ones of the status. */
      readonly dropped: number;
    }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Inspects every object of an Operand's set with the checks of a real run. Writes nothing. */
export async function inspectOperand(operand: ObjectOf<Operand>, world: PlanWorld): Promise<Inspection> {
  const { client, discovery, signal } = world;
  const set = await resolveSet(operand.spec, discovery, signal, operand.metadata.name);
  if (set.kind === "bad") return { kind: "invalid", problems: set.problems };
  const { manifest, kinds, health } = set;
  const inventories = (await client.list(ClusterActiveOperand, { signal })).items;
  const inventory = inventoryOf(operand, manifest.refs, inventories);
  const snapshot = await SetSnapshot.of(operand.metadata.uid, await watchedKinds(operand, set, world), world);
  const cache = new ItemCache();
  const applier = new ItemApplier({
    client,
    watched: snapshot,
    kinds,
    operand,
    inventory,
    signal,
    cache,
    dryRun: true,
  });
  const jobs = new JobRuns(operand);
  const deadlines = new ReadinessDeadlines(operand.status, world.clock.now());
  const gate = healthGate(operand.spec, manifest, "postInstall");
  const reported = new Map((operand.status?.failing ?? []).map((one) => [liveRefId(one), one.message]));
  const items = await mapConcurrent(manifest.merged, async (item): Promise<InspectedItem> => {
    const found = kinds.get(item.object);
    // Only labelled objects are in the cache; the state of an object without the label is unknown.
    const isUnlisted = found !== undefined && snapshot.failure(found.kind) !== undefined;
    const read =
      found?.isServed === true && (isUnlisted || item.mode !== "Reconcile")
        ? await snapshot.getLive(found.kind, keyOfRef(item.ref))
        : undefined;
    const live = read ?? applier.cachedObject(item);
    const done = doneJob(operand, item, live, jobs);
    if (done !== undefined) return done;
    const isApplied =
      found !== undefined &&
      live !== undefined &&
      (item.mode !== "Reconcile" || (await applier.isUpToDate(item, found.kind, live)));
    const readiness = readinessOfItem(item, live, { health, deadlines, gate });
    const state = live === undefined ? "missing" : isApplied ? "applied" : "differs";
    const message = reported.get(liveRefId(item.ref)) ?? (readiness.kind === "ready" ? undefined : readiness.message);
    return { ref: item.ref, state, readiness, ...(message === undefined ? {} : { message }) };
  });
  return { kind: "set", items, ...(await prunedOf(operand, world)) };
}

/** Returns the state of a Job that has ended and is gone, or that only runs as a hook; undefined for other objects. */
function doneJob(
  operand: ObjectOf<Operand>,
  item: ManifestItem,
  live: KubeObject | undefined,
  jobs: JobRuns,
): InspectedItem | undefined {
  const { ref, job } = item;
  if (job === undefined) return undefined;
  const isHook = job.hooks.length > 0;
  const record = jobs.saved(item);
  const isDone = isHook || (live === undefined && record?.hash === jobs.hashOf(item));
  if (!isDone) return undefined;
  const failed = isHook ? undefined : failureOf(operand, record, undefined);
  const readiness = failed ?? ({ kind: "ready", message: "" } as const);
  return { ref, state: "applied", readiness, ...(failed === undefined ? {} : { message: failed.message }) };
}

async function prunedOf(
  operand: ObjectOf<Operand>,
  world: PlanWorld,
): Promise<{ readonly pruned: number; readonly dropped: number }> {
  const { status } = operand;
  const pending = status?.pending ?? [];
  const gone = await mapConcurrent(pending, async (ref) => {
    const kind = await resolveRefKind(ref, world.discovery, world.signal);
    return kind === undefined || (await liveObject(world, kind, keyOfRef(ref))) === undefined;
  });
  const counted = generationState(operand) === "current" ? (status?.counts?.pruned ?? 0) : 0;
  return { pruned: counted + gone.filter(Boolean).length, dropped: counted + pending.length };
}

interface ReadinessChecks {
  readonly health: HealthRules;
  readonly deadlines: ReadinessDeadlines;
  readonly gate: HealthGate;
}

function readinessOfItem(
  item: ManifestItem,
  live: KubeObject | undefined,
  { health, deadlines, gate }: ReadinessChecks,
): Readiness {
  const { mode, ref } = item;
  if (mode === "Ignore" || (live !== undefined && mode === "EnsureExists")) return { kind: "ready", message: "" };
  if (live === undefined) return { kind: "progressing", message: "not created yet" };
  return health.evaluate(live, deadlines.waitedMs(ref, live), gate(item));
}
