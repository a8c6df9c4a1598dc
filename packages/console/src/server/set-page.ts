import { StatusError } from "@levelset/core";
import type { Clock, ObjectOf } from "@levelset/core";
import { ClusterActiveOperand, inspectOperand, Operand, planOperand, redactedPair, refOf } from "@levelset/operator";
import type {
  InspectedItem,
  Inspection,
  LiveRef,
  ObjectRef,
  OperandPlan,
  PlannedItem,
  PlannedPrune,
  PlanWorld,
} from "@levelset/operator";
import type { PlanEntry, PlanView, SetDocument, SetItem, SetVersion } from "../api/index.ts";
import type { ClusterView } from "./cluster-view.ts";
import { diffLines } from "./diff-lines.ts";
import { conditionViews } from "./object-page.ts";
import type { Processes } from "./processes.ts";
import { RecordBook } from "./records.ts";
import { revisionsOf } from "./revisions.ts";
import { scrubbedPage } from "./scrubbed-page.ts";

type LiveOperand = ObjectOf<Operand>;
type PendingRef = LiveRef & { readonly reason: string; readonly due?: string | undefined };

/** After how long a plan is made anew even if the set and its objects are as they were. */
const PLAN_MS = 15_000;

/** What the page of a set is made with. */
export interface SetPageOptions {
  readonly cluster: ClusterView;
  readonly processes: Processes;
  readonly clock: Clock;
}

/** The page of one set: what it asks for, how far that is, and what a run would do now. Nothing is written. */
export class SetPage {
  readonly #name: string;
  readonly #options: SetPageOptions;
  /** A plan asks the server about every object, so it is made only when it may have changed. */
  #planned: { readonly id: string; readonly plan: OperandPlan } | undefined;

  constructor(name: string, options: SetPageOptions) {
    this.#name = name;
    this.#options = options;
  }

  async compute(signal: AbortSignal): Promise<SetDocument> {
    const { cluster, clock } = this.#options;
    const { client, discovery } = cluster;
    const operand = await client.get(Operand, { name: this.#name }, { signal });
    const world = { client, discovery, signal, clock };
    const book = new RecordBook(this.#options.processes, signal);
    const [{ runs }, inspection, blocked, versions] = await Promise.all([
      book.of(refOf(operand)),
      inspectOperand(operand, world),
      blockedOf(operand, cluster, signal),
      versionsOf(operand, cluster, signal),
    ]);
    const plan = await this.#plan(operand, inspection, world);
    const { spec, status, metadata } = operand;
    const observed = status?.observedGeneration;
    const page: SetDocument = {
      name: this.#name,
      uid: metadata.uid,
      deletionPolicy: spec.deletionPolicy,
      generation: metadata.generation ?? 0,
      ...(observed === undefined ? {} : { observed }),
      phase: status?.phase ?? "",
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
    return scrubbedPage(page, [spec]);
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

function pendingView({ reason, due, ...ref }: PendingRef): SetDocument["pending"][number] {
  return { ...nameOf(ref), reason, ...(due === undefined ? {} : { due }) };
}

/** What an item is called on the pages of objects. Its version is not known here, and does not tell objects apart. */
function nameOf(ref: LiveRef): ObjectRef {
  const { group, kind, namespace, name } = ref;
  const where = namespace === undefined ? {} : { namespace };
  return { apiVersion: group === "" ? "v1" : `${group}/*`, kind, ...where, name };
}

function setItem(item: InspectedItem, { spec }: LiveOperand): SetItem {
  const { ref, state, readiness, message = "" } = item;
  const isLater = spec.postInstall.some(({ kind, metadata }) => {
    const { name, namespace = ref.namespace } = metadata;
    return kind === ref.kind && name === ref.name && namespace === ref.namespace;
  });
  return {
    ...nameOf(ref),
    stage: isLater ? "postInstall" : "steadyState",
    state,
    health: readiness.kind,
    message,
  };
}

async function blockedOf(
  operand: LiveOperand,
  { client }: ClusterView,
  signal: AbortSignal,
): Promise<SetDocument["blocked"]> {
  const { latestReadyActiveOperand: ready, latestCreatedActiveOperand: created } = operand.status ?? {};
  const names = new Set([ready, created].filter((name) => name !== undefined));
  const inventories = [...names].map((name) =>
    client.get(ClusterActiveOperand, { name }, { signal }).catch(nothingIfRefused),
  );
  return (await Promise.all(inventories))
    .flatMap((inventory) => inventory?.status?.blocked ?? [])
    .map(({ reason, message, ...ref }) => ({ ...nameOf(ref), reason, message }));
}

/** What is gone, or may not be read, is not told. */
function nothingIfRefused(error: unknown): undefined {
  if (error instanceof StatusError) return undefined;
  throw error;
}

async function versionsOf(
  operand: LiveOperand,
  { client }: ClusterView,
  signal: AbortSignal,
): Promise<readonly SetVersion[]> {
  const kept = (await revisionsOf(client, operand, signal).catch(nothingIfRefused)) ?? [];
  const generations = new Set(kept.map(({ spec }) => Number(spec.generation)));
  const history = (operand.status?.history ?? []).map(({ generation, activeOperand, time }) => ({
    generation: Number(generation),
    inventory: activeOperand,
    time,
    isCurrent: Number(generation) === operand.metadata.generation,
    isKept: generations.has(Number(generation)),
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
  const [before, after] = redactedPair(action === "create" ? undefined : item.before, item.after);
  const taken = isAdopted ? "was there before, and is taken over" : "";
  const words = [taken, reason, message].filter((text) => text !== "").join(": ");
  return { ...nameOf(ref), action, note: words, diff: after === undefined ? [] : diffLines(before, after) };
}

function pruneEntry(prune: PlannedPrune): PlanEntry {
  const { ref, action, reason = "", message = "", due } = prune;
  const when = due === undefined ? "" : `at ${due}`;
  const words = [when, reason, message].filter((text) => text !== "").join(": ");
  return { ...nameOf(ref), action, note: words, diff: [] };
}
