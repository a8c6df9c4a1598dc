import { redactSecretsInPair } from "@levelset/core/internal";
import { StatusError } from "@levelset/core";
import type { Clock, ObjectOf } from "@levelset/core";
import { ClusterActiveOperand, Operand, planOperand } from "@levelset/operator";
import { inspectOperand, listRevisions, refOf } from "@levelset/operator/internal";
import type {
  InspectedItem,
  Inspection,
  LiveRef,
  PlannedItem,
  PlannedPrune,
  PlanWorld,
} from "@levelset/operator/internal";
import type { ObjectRef, OperandPlan } from "@levelset/operator";
import type { PlanEntry, PlanView, OperandDocument, OperandItem, OperandRevisionView } from "../../api/index.ts";
import type { ClusterMonitor } from "../monitor/cluster-monitor.ts";
import { diffLines } from "../yaml/diff-lines.ts";
import { displayStatus } from "../monitor/display-state.ts";
import { conditionViews } from "./object-page.ts";
import type { Processes } from "../monitor/processes.ts";
import { RunRecordCache } from "../monitor/run-record-cache.ts";
import { redactPage } from "./redact-page.ts";

type LiveOperand = ObjectOf<Operand>;
type PendingRef = LiveRef & { readonly reason: string; readonly due?: string | undefined };

/** Maximum age of a plan if the Operand and its objects have not changed. */
const PLAN_MS = 15_000;

/** Options of {@link OperandPage}. */
export interface OperandPageOptions {
  readonly cluster: ClusterMonitor;
  readonly processes: Processes;
  readonly clock: Clock;
}

/** Computes the page of an Operand: progress of its objects and the plan of the next run. It only reads. */
export class OperandPage {
  readonly #name: string;
  readonly #options: OperandPageOptions;
  /** The last plan. A plan sends a dry run for every object, so it is computed only if its input may have changed. */
  #planned: { readonly id: string; readonly plan: OperandPlan } | undefined;

  constructor(name: string, options: OperandPageOptions) {
    this.#name = name;
    this.#options = options;
  }

  async compute(signal: AbortSignal): Promise<OperandDocument> {
    const { cluster, clock } = this.#options;
    const { client, discovery } = cluster;
    const operand = await client.get(Operand, { name: this.#name }, { signal });
    const world = { client, discovery, signal, clock };
    const cache = new RunRecordCache(this.#options.processes, signal);
    const [{ runs }, inspection, blocked, versions] = await Promise.all([
      cache.get(refOf(operand)),
      inspectOperand(operand, world),
      blockedOf(operand, cluster, signal),
      versionsOf(operand, cluster, signal),
    ]);
    const plan = await this.#plan(operand, inspection, world);
    const { spec, status, metadata } = operand;
    const observed = status?.observedGeneration;
    const page: OperandDocument = {
      state: displayStatus(operand, true).state,
      name: this.#name,
      uid: metadata.uid,
      deletionPolicy: spec.deletionPolicy,
      generation: metadata.generation ?? 0,
      ...(observed === undefined ? {} : { observed }),
      ...(status?.phase === undefined ? {} : { phase: status.phase }),
      isSuspended: spec.suspend,
      ...(status?.counts === undefined ? {} : { counts: status.counts }),
      conditions: conditionViews(operand, cluster.history, runs),
      items: inspection.kind === "set" ? inspection.items.map((item) => setItem(item, operand)) : [],
      invalid: inspection.kind === "invalid" ? inspection.problems : [],
      pending: (status?.pending ?? []).map(pendingView),
      blocked,
      versions,
      plan: planView(plan),
    };
    return redactPage(page, [spec]);
  }

  async #plan(operand: LiveOperand, inspection: Inspection, world: PlanWorld): Promise<OperandPlan> {
    const { resourceVersion } = operand.metadata;
    const id = JSON.stringify([resourceVersion, inspection, Math.floor(world.clock.now() / PLAN_MS)]);
    if (this.#planned?.id === id) return this.#planned.plan;
    const plan = await planOperand(operand, world);
    this.#planned = { id, plan };
    return plan;
  }
}

function pendingView({ reason, due, ...ref }: PendingRef): OperandDocument["pending"][number] {
  return { ...nameOf(ref), reason, ...(due === undefined ? {} : { due }) };
}

/** Returns the reference of an item. Its API version is unknown here; `*` stands for the preferred one. */
function nameOf(ref: LiveRef): ObjectRef {
  const { group, kind, namespace, name } = ref;
  const where = namespace === undefined ? {} : { namespace };
  return { apiVersion: group === "" ? "v1" : `${group}/*`, kind, ...where, name };
}

function setItem(item: InspectedItem, { spec }: LiveOperand): OperandItem {
  const { ref, state, readiness, message = "" } = item;
  const isLater = spec.postInstall.some(({ kind, metadata }) => {
    const { name, namespace = ref.namespace } = metadata;
    return kind === ref.kind && name === ref.name && namespace === ref.namespace;
  });
  return {
    ...nameOf(ref),
    list: isLater ? "postInstall" : "steadyState",
    state,
    health: readiness.kind,
    message,
  };
}

async function blockedOf(
  operand: LiveOperand,
  { client }: ClusterMonitor,
  signal: AbortSignal,
): Promise<OperandDocument["blocked"]> {
  const { latestReadyActiveOperand: ready, latestCreatedActiveOperand: created } = operand.status ?? {};
  const names = new Set([ready, created].filter((name) => name !== undefined));
  const inventories = [...names].map((name) =>
    client.get(ClusterActiveOperand, { name }, { signal }).catch(undefinedIfRefused),
  );
  return (await Promise.all(inventories))
    .flatMap((inventory) => inventory?.status?.blocked ?? [])
    .map(({ reason, message, ...ref }) => ({ ...nameOf(ref), reason, message }));
}

/** Returns undefined for objects that do not exist or may not be read. */
function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof StatusError) return undefined;
  throw error;
}

async function versionsOf(
  operand: LiveOperand,
  { client }: ClusterMonitor,
  signal: AbortSignal,
): Promise<readonly OperandRevisionView[]> {
  const revisions = (await listRevisions(client, operand, signal).catch(undefinedIfRefused)) ?? [];
  const generations = new Set(revisions.map(({ spec }) => Number(spec.generation)));
  const history = (operand.status?.history ?? []).map(({ generation, activeOperand, time }) => ({
    generation: Number(generation),
    inventory: activeOperand,
    time,
    isCurrent: Number(generation) === operand.metadata.generation,
    isStored: generations.has(Number(generation)),
  }));
  return history.toReversed();
}

function planView(plan: OperandPlan): PlanView {
  if (plan.kind === "invalid") return { kind: "invalid", problems: plan.problems };
  const changing = plan.items.filter(({ action }) => action !== "none");
  return {
    kind: "plan",
    items: changing.map(planEntry),
    prunes: plan.prunes.map(pruneEntry),
    unchanged: plan.items.length - changing.length,
  };
}

function planEntry(item: PlannedItem): PlanEntry {
  const { ref, action, reason = "", message = "", isAdopted } = item;
  const [before, after] = redactSecretsInPair(action === "create" ? undefined : item.before, item.after);
  const adoption = isAdopted ? "exists already; will be adopted" : "";
  const note = [adoption, reason, message].filter((text) => text !== "").join(": ");
  return { ...nameOf(ref), action, note, diff: after === undefined ? [] : diffLines(before, after) };
}

function pruneEntry(prune: PlannedPrune): PlanEntry {
  const { ref, action, reason = "", message = "", due } = prune;
  const when = due === undefined ? "" : `at ${due}`;
  const note = [when, reason, message].filter((text) => text !== "").join(": ");
  return { ...nameOf(ref), action, note, diff: [] };
}
