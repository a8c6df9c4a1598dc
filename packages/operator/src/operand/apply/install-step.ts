import { SUSPENDED } from "@levelset/core/internal";
import type { Kind } from "@levelset/core";
import { CONTESTED, fail, ok, refOf, step, terminal, wait } from "../../engine/index.ts";
import type { WatchedObjects, ResultOptions, Result, Step } from "../../engine/index.ts";
import type { WatchFailure } from "../../cache/index.ts";
import { ItemApplier } from "./apply-item.ts";
import type { ItemCache } from "./item-cache.ts";
import { CANNOT_WATCH } from "./apply-set.ts";
import type { ApplySetResult } from "./apply-set.ts";
import type { RefLocks } from "../inventory/ref-locks.ts";
import { summarizeFirst } from "../spec/summarize-first.ts";
import { operandWatch } from "../inventory/operand-watches.ts";
import { watchedKinds } from "./watched-kinds.ts";
import { healthGate } from "../spec/health-gate.ts";
import type { InstallPhase } from "../spec/health-gate.ts";
import type { HealthRules } from "../spec/health-rules.ts";
import { requeueNow, ensureInventory, recordDeleted } from "../inventory/inventory.ts";
import type { Inventory, OperandReq } from "../inventory/inventory.ts";
import type { ManifestItem } from "../spec/item.ts";
import { ClusterActiveOperand, Operand } from "../spec/operand-kinds.ts";
import type { HookName } from "../spec/operand-kinds.ts";
import { describeLiveRef, liveRefId } from "../spec/live-ref.ts";
import { contestOf, retryAfterMs } from "./apply-outcome.ts";
import type { ItemChange, ItemResult } from "./apply-outcome.ts";
import type { ManifestSet } from "../spec/manifest-set.ts";
import { ReadinessDeadlines } from "./readiness-deadlines.ts";
import { resolveSet } from "../spec/resolve-set.ts";
import { applyWithHook, dueHooks, hashToCompare, isHookDue } from "./hook-phase.ts";
import { runDeletionHooks } from "./deletion-hooks.ts";
import { itemsUpToHook, precedingHook } from "../spec/hook-order.ts";
import { JobRuns } from "./job-runs.ts";
import { Reclaimer } from "./reclaim.ts";
import { deleteOperand } from "../prune/delete-operand.ts";
import { NOT_STALLED, stall } from "../inventory/stalled.ts";

/** An installed set, as input of the promote step. */
export interface InstalledSet {
  readonly manifest: ManifestSet;
  readonly inventory: Inventory;
  readonly watched: WatchedObjects;
  /** Watched kinds of the set. */
  readonly kinds: readonly Kind[];
}

/** Maximum number of objects that a status names. */
const NAMED_MAX = 10;
/** An Operand may contain objects of any kind. */
const ALL_KINDS = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"], scope: "Cluster" as const }];

/**
 * Installs the set: creates its inventory, applies steadyState until it is healthy, then applies the merged set. Each
 * fact that later work relies on is written to the status in a run of its own, before that work begins.
 */
export function installStep(claims: RefLocks, cache: ItemCache): Step<Operand, InstalledSet> {
  const reclaimer = new Reclaimer();
  return step(Operand, "Install", {
    condition: "OperandInstalled",
    informational: ["Stalled", "Drifted"],
    contests: "Uncontested",
    preserveStatus: [
      "latestReadyActiveOperand",
      "latestCreatedActiveOperand",
      "installedSteadyStateGeneration",
      "collisionCount",
      "counts",
      "phase",
      "awaited",
      "pending",
      "jobs",
      "installedSetHash",
      "history",
    ],
    owns: [ClusterActiveOperand],
    dynamicWatches: [operandWatch],
    rbac: ALL_KINDS,
    do: async (req) => {
      if (req.spec.suspend) return suspended(req);
      if (recordDeleted(req)) return requeueNow("an inventory was deleted");
      const set = await resolveSet(req.spec, req.discovery, req.signal, req.name);
      if (set.kind === "bad") return invalid(req, set.problems);
      const { manifest, kinds, health } = set;
      const { removing, live } = await reclaimer.reclaim(req, manifest.refs);
      const state = await ensureInventory(req, { manifest, removing }, claims);
      if (state.kind === "pending") return state.result;
      const { inventory } = state;
      const kindsToWatch = await watchedKinds(req.object, set, req);
      const watched = await req.watch(operandWatch, kindsToWatch);
      const { client, object: operand, signal, contention } = req;
      const jobs = new JobRuns(operand);
      jobs.due = dueHooks(operand, manifest.jobs);
      // Computed only for objects of steadyState that postInstall replaces.
      const isGated = (item: ManifestItem): boolean => healthGate(req.spec, manifest, "steadyState")(item);
      const applier = new ItemApplier({
        client,
        watched,
        kinds,
        operand,
        inventory,
        signal,
        cache,
        contention,
        live,
        jobs,
        clock: req.clock,
        isReady: (object, item) => health.evaluate(object, 0, isGated(item)).kind === "ready",
      });
      const unwatched = (item: ManifestItem): WatchFailure | undefined => {
        const kind = kinds.get(item.object)?.kind;
        return kind === undefined ? undefined : watched.failure(kind);
      };
      const result = await applyPhases(req, manifest, { applier, health, unwatched, jobs });
      req.status.jobs = jobs.recordsFor(manifest.jobs);
      if (jobs.requeueMs !== undefined) req.requeueAfter(jobs.requeueMs);
      return result.kind === "ok" ? ok<InstalledSet>({ manifest, inventory, watched, kinds: kindsToWatch }) : result;
    },
    cleanup: async (req) => {
      reclaimer.forget(req);
      return (await runDeletionHooks(req, cache)) ?? deleteOperand(req, claims);
    },
  });
}

interface PhaseOptions {
  readonly applier: ItemApplier;
  readonly health: HealthRules;
  readonly jobs: JobRuns;
  /** Returns why changes of an object are not observed; undefined if they are. */
  readonly unwatched: (item: ManifestItem) => WatchFailure | undefined;
}

async function applyPhases(
  req: OperandReq,
  manifest: ManifestSet,
  { applier, health, unwatched, jobs }: PhaseOptions,
): Promise<Result<undefined>> {
  const { status, object } = req;
  const { generation } = object.metadata;
  const apply = async (
    items: readonly ManifestItem[],
    phase: InstallPhase,
    hook?: HookName,
  ): Promise<ApplySetResult> => {
    const deadlines = new ReadinessDeadlines(object.status, req.clock.now());
    const gate = healthGate(req.spec, manifest, phase);
    const outcome = await applyWithHook(items, hook, { applier, health, deadlines, gate, unwatched, jobs });
    recordStatus(req, outcome);
    status.awaited = deadlines.nextWaitingSince(outcome.items, health);
    requeueWhenDue(req, outcome, { health, deadlines });
    if (items.some((item) => unwatched(item) !== undefined)) req.requeueAfter(UNWATCHED_MS);
    return outcome;
  };
  if (status.installedSteadyStateGeneration !== generation) {
    status.phase = "Installing";
    if (status.installedSteadyStateGeneration !== undefined) {
      status.installedSteadyStateGeneration = undefined;
      // The count belongs to the previous generation; pruning starts only after this one is installed.
      if (status.counts !== undefined) status.counts = { ...status.counts, pruned: 0 };
      return requeueNow("installing a new steadyState");
    }
    const hook = precedingHook(object);
    if (isHookDue(req, manifest, hook)) {
      const items = itemsUpToHook(manifest.steadyState, hook);
      const result = resultOf(req, await apply(items, "steadyState", hook), `${hook}: `, unwatched);
      if (result.kind !== "ok") return result;
    }
    const result = resultOf(req, await apply(manifest.steadyState, "steadyState"), "", unwatched);
    if (result.kind !== "ok") return result;
    status.installedSteadyStateGeneration = generation;
    return requeueNow("steadyState is installed");
  }
  status.phase = "PostInstall";
  const last = isHookDue(req, manifest, "postInstall") ? "postInstall" : undefined;
  const result = resultOf(req, await apply(manifest.merged, "postInstall", last), "post-install: ", unwatched);
  if (result.kind === "ok") status.installedSetHash = hashToCompare(object.spec, manifest.jobs);
  return result;
}

/** Interval between reads of objects of a kind that cannot be watched. */
const UNWATCHED_MS = 60_000;

/** Requeues where no watch event is expected: see `retryAfterMs`, or a readiness timeout. */
function requeueWhenDue(
  req: OperandReq,
  { items }: ApplySetResult,
  { health, deadlines }: { readonly health: HealthRules; readonly deadlines: ReadinessDeadlines },
): void {
  const left = items.flatMap(({ item, outcome, readiness }) => {
    if (outcome.kind === "waiting") return retryAfterMs(outcome) ?? [];
    if (outcome.kind !== "applied" || outcome.object === undefined || readiness.kind !== "progressing") return [];
    const { object, change } = outcome;
    const leftMs = health.remainingMs(object, deadlines.waitedMs(item.ref, object, change));
    // Timestamps in a status are whole seconds.
    return leftMs === undefined ? [] : leftMs + 1_000;
  });
  if (left.length > 0) req.requeueAfter(Math.min(...left));
}

/** Writes the results of applying the set to the status. */
function recordStatus(req: OperandReq, { items }: ApplySetResult): void {
  const { status } = req;
  const applied = items.filter(({ outcome }) => outcome.kind === "applied");
  const ready = applied.filter((one) => one.readiness.kind === "ready" && contestOf(one) === undefined);
  const pruned = status.counts?.pruned ?? 0;
  status.counts = { total: items.length, applied: applied.length, ready: ready.length, pruned };
  const failing = items.filter(isWrong).slice(0, NAMED_MAX);
  if (failing.length > 0) {
    status.failing = failing.map((one) => ({ ...one.item.ref, ...problemOf(one) }));
  }
  const corrected = items.filter((one) => changeOf(one) === "changed" || changeOf(one) === "created");
  const isSettled = req.object.status?.phase === "Ready";
  for (const { item } of isSettled ? corrected.slice(0, NAMED_MAX) : []) {
    req.event({ reason: "DriftCorrected", message: `restored ${describeLiveRef(item.ref)}` });
  }
  const first = items.find((one) => changeOf(one) === "drifted");
  if (first === undefined) return;
  const message = `${describeLiveRef(first.item.ref)} differs from its manifest`;
  req.condition({ type: "Drifted", status: "True", reason: "Drifted", message });
}

function changeOf({ outcome }: ItemResult): ItemChange | undefined {
  return outcome.kind === "applied" ? outcome.change : undefined;
}

function isWrong(one: ItemResult): boolean {
  const { outcome, readiness } = one;
  return outcome.kind !== "applied" || readiness.kind === "failed" || contestOf(one) !== undefined;
}

function problemOf(one: ItemResult): { readonly reason: string; readonly message: string } {
  const { outcome, readiness } = one;
  if (outcome.kind !== "applied") return { reason: outcome.reason, message: outcome.message };
  const contest = readiness.kind === "failed" ? undefined : contestOf(one);
  if (contest !== undefined) return { reason: CONTESTED, message: contest };
  return { reason: readiness.kind === "failed" ? readiness.reason : "NotReady", message: readiness.message };
}

/** Returns the Operand's result from the results of its objects. */
function resultOf(
  req: OperandReq,
  { items }: ApplySetResult,
  phase: string,
  unwatched: PhaseOptions["unwatched"],
): Result<undefined> {
  const broken = items.filter((one) => one.outcome.kind === "failed");
  const stalled = items.filter(({ readiness }) => readiness.kind === "failed");
  if (broken.length > 0 || stalled.length > 0) {
    req.status.phase = "Failed";
    const named = [...broken, ...stalled];
    const message = phase + summarizeFirst(named, describeProblem);
    // A list that failed without being forbidden may succeed on the next attempt, which is observed.
    const isStuck = stalled.some(({ item }) => unwatched(item)?.isRefused !== false);
    const reason = named.map((one) => problemOf(one).reason).find((one) => one.startsWith("Hook")) ?? "Failed";
    stall(req, isStuck ? { status: "True", reason, message } : NOT_STALLED);
    for (const one of named.slice(0, NAMED_MAX)) {
      if (isReported(req, one)) continue;
      req.event({ type: "Warning", reason: problemOf(one).reason, message: describeProblem(one) });
    }
    const remark: ResultOptions = { reason, on: refsOf(named) };
    // A stalled object needs a change, which triggers a run. A failed apply is retried.
    return broken.length > 0
      ? fail(message, remark)
      : wait(message, { ...remark, severity: isStuck ? "Error" : "Warning" });
  }
  stall(req, NOT_STALLED);
  const unready = items.filter(({ outcome, readiness }) => outcome.kind !== "applied" || readiness.kind !== "ready");
  if (unready.length === 0) return ok();
  return wait(phase + summarizeFirst(unready, describeProblem), { reason: "Waiting", on: refsOf(unready) });
}

/**
 * Reports whether the status already states that an object cannot be watched. Such objects are read every minute, and
 * the event would be repeated.
 */
function isReported({ object }: OperandReq, one: ItemResult): boolean {
  if (problemOf(one).reason !== CANNOT_WATCH) return false;
  const id = liveRefId(one.item.ref);
  return (object.status?.failing ?? []).some((other) => liveRefId(other) === id && other.reason === CANNOT_WATCH);
}

function describeProblem(one: ItemResult): string {
  return `${describeLiveRef(one.item.ref)}: ${problemOf(one).message}`;
}

function refsOf(items: readonly ItemResult[]): NonNullable<ResultOptions["on"]> {
  return items.slice(0, NAMED_MAX).map(({ item, outcome }) => {
    const present = outcome.kind === "applied" ? outcome.object : undefined;
    if (present !== undefined) return refOf(present);
    const { namespace, name } = item.ref;
    const { apiVersion, kind } = item.object;
    return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
  });
}

function suspended(req: OperandReq): Result<never> {
  req.status.phase = "Suspended";
  // Readiness deadlines restart when the Operand is resumed.
  req.status.awaited = undefined;
  stall(req, NOT_STALLED);
  return wait("spec.suspend is true: nothing is written", { reason: SUSPENDED });
}

function invalid(req: OperandReq, problems: readonly string[]): Result<never> {
  req.status.phase = "Invalid";
  const message = problems.slice(0, NAMED_MAX).join("; ");
  stall(req, { status: "True", reason: "InvalidManifest", message });
  return terminal(message, { reason: "InvalidManifest" });
}
