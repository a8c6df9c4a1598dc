import type { Kind } from "@levelset/core";
import { CONTESTED, fail, ok, refOf, step, terminal, wait } from "../step/index.ts";
import type { Followed, Remark, Result, Step } from "../step/index.ts";
import type { WatchFailure } from "../cache/index.ts";
import { ItemApplier } from "./apply-item.ts";
import { applySet, CANNOT_WATCH } from "./apply-set.ts";
import type { SetOutcome } from "./apply-set.ts";
import type { Claims } from "./claims.ts";
import { firstOf } from "./first-of.ts";
import { followedByOperands } from "./follow.ts";
import { followedKinds } from "./followed-kinds.ts";
import type { Health } from "./health.ts";
import { again, ensureInventory } from "./inventory.ts";
import type { Inventory, OperandReq } from "./inventory.ts";
import type { Item } from "./item.ts";
import { ClusterActiveOperand, Operand } from "./kinds.ts";
import { describeLiveRef, refId } from "./live-ref.ts";
import { contestOf } from "./outcome.ts";
import type { Change, JudgedItem } from "./outcome.ts";
import type { Manifest } from "./manifest.ts";
import { Patience } from "./patience.ts";
import { readSet } from "./read-set.ts";
import { Reclaimer } from "./reclaim.ts";
import { removeSet } from "./remove-set.ts";
import { FINE, stall } from "./stalled.ts";

/** What is installed, for the step that makes it the baseline. */
export interface Installed {
  readonly manifest: Manifest;
  readonly inventory: Inventory;
  readonly followed: Followed;
  /** The kinds that are followed. */
  readonly kinds: readonly Kind[];
}

/** Reasons to wait for objects that may not be ours yet, and how long until the next look at them. */
const GOING = ["BeingDeleted", "Recreating", "Changing"];
const GOING_MS = 2_000;
/** How many objects a status names. */
const NAMED_MAX = 10;
/** An Operand may hold anything. */
const EVERYTHING = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"], scope: "Cluster" as const }];

/**
 * Brings the set onto the cluster: its inventory first, steadyState until it is healthy, then the merged set. Each fact that later
 * work relies on is written to the status in a run of its own, before that work begins.
 */
export function install(claims: Claims): Step<Operand, Installed> {
  const reclaimer = new Reclaimer();
  return step(Operand, "Install", {
    condition: "OperandInstalled",
    asides: ["Stalled", "Drifted"],
    contests: "Uncontested",
    keeps: [
      "latestReadyActiveOperand",
      "latestCreatedActiveOperand",
      "installedSteadyStateGeneration",
      "collisionCount",
      "counts",
      "phase",
      "awaited",
      "pending",
      "history",
    ],
    owns: [ClusterActiveOperand],
    follows: [followedByOperands],
    rbac: EVERYTHING,
    do: async (req) => {
      if (req.spec.suspend) return suspended(req);
      const set = await readSet(req.spec, req.discovery, req.signal);
      if (set.kind === "bad") return invalid(req, set.problems);
      const { manifest, kinds, health } = set;
      const { going, live } = await reclaimer.reclaim(req, manifest.refs);
      const state = await ensureInventory(req, { manifest, going }, claims);
      if (state.kind === "not yet") return state.result;
      const { inventory } = state;
      const followable = await followedKinds(req.object, set, req);
      const followed = await req.follow(followedByOperands, followable);
      const { client, object: operand, signal, contention } = req;
      const applier = new ItemApplier({ client, followed, kinds, operand, inventory, signal, contention, live });
      const unwatched = (item: Item): WatchFailure | undefined => {
        const kind = kinds.get(item.object)?.kind;
        return kind === undefined ? undefined : followed.failure(kind);
      };
      const result = await applyPhases(req, manifest, { applier, health, unwatched });
      return result.kind === "ok" ? ok<Installed>({ manifest, inventory, followed, kinds: followable }) : result;
    },
    cleanup: (req) => {
      reclaimer.forget(req);
      return removeSet(req, claims);
    },
  });
}

interface PhaseOptions {
  readonly applier: ItemApplier;
  readonly health: Health;
  /** Why changes of an object are not seen; undefined when they are. */
  readonly unwatched: (item: Item) => WatchFailure | undefined;
}

async function applyPhases(
  req: OperandReq,
  manifest: Manifest,
  { applier, health, unwatched }: PhaseOptions,
): Promise<Result<undefined>> {
  const { status, object } = req;
  const { generation } = object.metadata;
  const apply = async (items: readonly Item[]): Promise<SetOutcome> => {
    const patience = new Patience(object.status, req.clock.now());
    const outcome = await applySet(items, { applier, health, patience, unwatched });
    note(req, outcome);
    status.awaited = patience.after(outcome.items, health);
    lookWhenDue(req, outcome, { health, patience });
    if (items.some((item) => unwatched(item) !== undefined)) req.lookAgain(UNWATCHED_MS);
    return outcome;
  };
  if (status.installedSteadyStateGeneration !== generation) {
    status.phase = "Installing";
    if (status.installedSteadyStateGeneration !== undefined) {
      status.installedSteadyStateGeneration = undefined;
      // What went before was of another generation; nothing is pruned, and counted, before this one is installed.
      if (status.counts !== undefined) status.counts = { ...status.counts, pruned: 0 };
      return again("a new steady state is installed");
    }
    const result = judged(req, await apply(manifest.steadyState), "", unwatched);
    if (result.kind !== "ok") return result;
    status.installedSteadyStateGeneration = generation;
    return again("the steady state is installed");
  }
  status.phase = "PostInstall";
  return judged(req, await apply(manifest.merged), "post-install: ", unwatched);
}

/** What ends without an event that we would see: a server serves a kind a while after its CRD says so, and strangers are not followed. */
const UNSEEN = ["NotEstablished", "Changing", "BeingDeleted"];
const UNSEEN_MS = 1_000;

/** How often objects of a kind that cannot be watched are read. */
const UNWATCHED_MS = 60_000;

/** Looks again where nothing else would wake us: also time alone makes an object that is on its way a failed one. */
function lookWhenDue(
  req: OperandReq,
  { items }: SetOutcome,
  { health, patience }: { readonly health: Health; readonly patience: Patience },
): void {
  const left = items.flatMap(({ item, outcome, readiness }) => {
    if (outcome.kind === "waiting" && UNSEEN.includes(outcome.reason)) return UNSEEN_MS;
    if (outcome.kind !== "applied" || outcome.object === undefined || readiness.kind !== "progressing") return [];
    const { object, change } = outcome;
    const leftMs = health.leftMs(object, patience.waitedMs(item.ref, object, change));
    // Times in a status are whole seconds.
    return leftMs === undefined ? [] : leftMs + 1_000;
  });
  if (left.length > 0) req.lookAgain(Math.min(...left));
}

/** What the status says of a pass over the set. */
function note(req: OperandReq, { items }: SetOutcome): void {
  const { status } = req;
  const applied = items.filter(({ outcome }) => outcome.kind === "applied");
  const ready = applied.filter((one) => one.readiness.kind === "ready" && contestOf(one) === undefined);
  const pruned = status.counts?.pruned ?? 0;
  status.counts = { total: items.length, applied: applied.length, ready: ready.length, pruned };
  const failing = items.filter(isWrong).slice(0, NAMED_MAX);
  if (failing.length > 0) {
    status.failing = failing.map((one) => ({ ...one.item.ref, ...wordsOf(one) }));
  }
  const corrected = items.filter((one) => changeOf(one) === "changed" || changeOf(one) === "created");
  const isSettled = req.object.status?.phase === "Ready";
  for (const { item } of isSettled ? corrected.slice(0, NAMED_MAX) : []) {
    req.event({ reason: "DriftCorrected", message: `${describeLiveRef(item.ref)} was put right` });
  }
  const first = items.find((one) => changeOf(one) === "drifted");
  if (first === undefined) return;
  const message = `${describeLiveRef(first.item.ref)} is not as it should be`;
  req.condition({ type: "Drifted", status: "True", reason: "Drifted", message });
}

function changeOf({ outcome }: JudgedItem): Change | undefined {
  return outcome.kind === "applied" ? outcome.change : undefined;
}

function isWrong(one: JudgedItem): boolean {
  const { outcome, readiness } = one;
  return outcome.kind !== "applied" || readiness.kind === "failed" || contestOf(one) !== undefined;
}

function wordsOf(one: JudgedItem): { readonly reason: string; readonly message: string } {
  const { outcome, readiness } = one;
  if (outcome.kind !== "applied") return { reason: outcome.reason, message: outcome.message };
  const contest = readiness.kind === "failed" ? undefined : contestOf(one);
  if (contest !== undefined) return { reason: CONTESTED, message: contest };
  return { reason: readiness.kind === "failed" ? readiness.reason : "NotReady", message: readiness.message };
}

/** What a pass over the set means for the Operand. */
function judged(
  req: OperandReq,
  { items }: SetOutcome,
  phase: string,
  unwatched: PhaseOptions["unwatched"],
): Result<undefined> {
  const broken = items.filter((one) => one.outcome.kind === "failed");
  const stalled = items.filter(({ readiness }) => readiness.kind === "failed");
  if (broken.length > 0 || stalled.length > 0) {
    req.status.phase = "Failed";
    const named = [...broken, ...stalled];
    const message = phase + firstOf(named, inWords);
    // A list that fails without being refused may succeed the next time, and that is seen.
    const isStuck = stalled.some(({ item }) => unwatched(item)?.isRefused !== false);
    stall(req, isStuck ? { status: "True", reason: "Failed", message } : FINE);
    for (const one of named.slice(0, NAMED_MAX)) {
      if (isReported(req, one)) continue;
      req.event({ type: "Warning", reason: wordsOf(one).reason, message: inWords(one) });
    }
    const remark: Remark = { reason: "Failed", on: refsOf(named) };
    // Waiting will not help what stalled; a change of it wakes us. What was refused is tried again.
    return broken.length > 0
      ? fail(message, remark)
      : wait(message, { ...remark, severity: isStuck ? "Error" : "Warning" });
  }
  stall(req, FINE);
  const unready = items.filter(({ outcome, readiness }) => outcome.kind !== "applied" || readiness.kind !== "ready");
  if (unready.length === 0) return ok();
  // What is not labelled yet is not followed, so nothing tells when it is gone.
  if (unready.some(({ outcome }) => outcome.kind === "waiting" && GOING.includes(outcome.reason)))
    req.lookAgain(GOING_MS);
  return wait(phase + firstOf(unready, inWords), { reason: "Waiting", on: refsOf(unready) });
}

/** Whether the status says already that an object cannot be watched: such objects are read every minute, and the event would be repeated. */
function isReported({ object }: OperandReq, one: JudgedItem): boolean {
  if (wordsOf(one).reason !== CANNOT_WATCH) return false;
  const id = refId(one.item.ref);
  return (object.status?.failing ?? []).some((other) => refId(other) === id && other.reason === CANNOT_WATCH);
}

function inWords(one: JudgedItem): string {
  return `${describeLiveRef(one.item.ref)}: ${wordsOf(one).message}`;
}

function refsOf(items: readonly JudgedItem[]): NonNullable<Remark["on"]> {
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
  // Nobody is waited for: the time of each begins anew when it goes on.
  req.status.awaited = undefined;
  stall(req, FINE);
  return wait("spec.suspend is true: nothing is written", { reason: "Suspended" });
}

function invalid(req: OperandReq, problems: readonly string[]): Result<never> {
  req.status.phase = "Invalid";
  const message = problems.slice(0, NAMED_MAX).join("; ");
  stall(req, { status: "True", reason: "InvalidManifest", message });
  return terminal(message, { reason: "InvalidManifest" });
}
