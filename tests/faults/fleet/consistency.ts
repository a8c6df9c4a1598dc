/**
 * Consistency check of a store: compares its contents with its journal. The journal has every report and every change
 * once, in the order of one process, so that resources can be rebuilt from it with the pure decisions alone.
 */
import { canonicalJson, deepEqual } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import {
  findResourceCondition,
  decideReport,
  isResourceDeleting,
  parseReport,
  evaluateResource,
} from "@levelset/fleet/model";
import { DEFAULT_TTL, EVERY_TENANT } from "@levelset/fleet/server";
import { dueTime } from "@levelset/fleet/internal";
import type { AdapterStatus, JournalEntry, Resource } from "@levelset/fleet/model";
import type { FleetKind, FleetKinds, FleetStore } from "@levelset/fleet";
import type { StoredResource, StoredPlan } from "@levelset/fleet/server";

const PAGE = 500;
/** Tolerance of a planned check over its TTL. */
const SPREAD = 1.11;

/** Returns all resources of a store with the planned work. */
export async function allPlans(store: FleetStore, kinds: FleetKinds): Promise<readonly StoredPlan[]> {
  const names = kinds.all.map(({ kind }) => kind);
  const found: StoredPlan[] = [];
  for (;;) {
    const part = await store.listPlans(names, found.at(-1)?.stored.resource.id, PAGE);
    found.push(...part);
    if (part.length < PAGE) return found;
  }
}

/** Returns the journal of a resource, oldest first. */
export async function journalOf(store: FleetStore, resourceId: string): Promise<readonly JournalEntry[]> {
  const found: JournalEntry[] = [];
  for (;;) {
    const before = found.at(-1)?.id;
    const query = { scope: EVERY_TENANT, resourceId, limit: PAGE };
    const part = await store.journal(before === undefined ? query : { ...query, before });
    found.push(...part);
    if (part.length < PAGE) return found.toReversed();
  }
}

/** Returns the inconsistencies of a store. Replays the journal unless several processes wrote it. */
export async function inconsistencies(
  store: FleetStore,
  kinds: FleetKinds,
  options: { readonly isReplayed: boolean } = { isReplayed: true },
): Promise<readonly string[]> {
  const all = await allPlans(store, kinds);
  const children = Map.groupBy(all, ({ stored }) => stored.resource.owner?.id);
  const problems: string[] = [];
  for (const plan of all) {
    const { stored } = plan;
    const kind = kinds.find(stored.resource.kind);
    if (kind === undefined) throw new TypeError(`unknown kind ${stored.resource.kind}`);
    const found = [
      ...invariants(kind, plan, children.get(stored.resource.id)?.length ?? 0),
      ...(options.isReplayed && !isResourceDeleting(stored.resource)
        ? replayed(kind, stored, await journalOf(store, stored.resource.id))
        : []),
    ];
    problems.push(...found.map((problem) => `${stored.resource.kind} ${stored.resource.name}: ${problem}`));
  }
  return [...problems, ...twice(all), ...dangling(all)];
}

function invariants(kind: FleetKind, { stored, dueTime: planned }: StoredPlan, children: number): readonly string[] {
  const { resource, statuses } = stored;
  const now = Number.MAX_SAFE_INTEGER;
  const settled = evaluateResource({ kind, resource, statuses, children, causeTime: resource.updatedTime });
  const ttl = { ...DEFAULT_TTL, readyMs: DEFAULT_TTL.readyMs * SPREAD };
  const latest = dueTime({ kind, resource, statuses, pulsedTime: undefined, now, ttl });
  const aliases = [
    ["Ready", "Reconciled"],
    ["Available", "LastKnownReconciled"],
  ] as const;
  return [
    ...(stored.children === children ? [] : [`has a child count of ${stored.children}, but ${children} children`]),
    ...(settled.kind === "gone" ? ["has completed its deletion, but still exists"] : []),
    ...(deepEqual(timeless(settled.resource), timeless(resource))
      ? []
      : ["conditions differ from the aggregate of the statuses"]),
    ...aliases.flatMap(([type, alias]) => {
      const [one, other] = [
        findResourceCondition(resource.conditions, type),
        findResourceCondition(resource.conditions, alias),
      ];
      return deepEqual({ ...one, type: alias }, { ...other, type: alias }) ? [] : [`${type} differs from ${alias}`];
    }),
    ...(latest === undefined || (planned !== undefined && planned <= latest)
      ? []
      : [`is planned for ${planned}, but is due by ${latest}`]),
  ];
}

/** Returns the conditions without times and without Flapping, which depends on time. */
function timeless({ conditions }: Resource): unknown {
  const lasting = conditions.filter(({ type }) => type !== "Flapping");
  return lasting.map(({ type, status, reason, observedGeneration }) => ({
    type,
    status,
    reason,
    observedGeneration,
  }));
}

function dangling(all: readonly StoredPlan[]): readonly string[] {
  const present = new Set(all.map(({ stored }) => stored.resource.id));
  return all.flatMap(({ stored: { resource } }) => {
    const expected = [
      ...Object.values(resource.references).flat(),
      ...(resource.owner === undefined ? [] : [resource.owner]),
    ];
    return expected
      .filter(({ id }) => !present.has(id))
      .map(({ kind, id }) => `${resource.kind} ${resource.name}: refers to missing ${kind} ${id}`);
  });
}

function twice(all: readonly StoredPlan[]): readonly string[] {
  const active = all.map(({ stored }) => stored.resource).filter((resource) => !isResourceDeleting(resource));
  const names = Map.groupBy(active, ({ kind, name, owner, tenancy }) =>
    JSON.stringify([kind, name, owner?.id ?? canonicalJson(tenancy)]),
  );
  return [...names].filter(([, found]) => found.length > 1).map(([name]) => `duplicate name ${name}`);
}

/** Returns the differences between a resource and the replay of its journal. */
function replayed(
  kind: FleetKind,
  { resource, statuses }: StoredResource,
  journal: readonly JournalEntry[],
): readonly string[] {
  const replay = new Replay(kind, resource);
  const problems = journal.flatMap((entry) => replay.replay(entry));
  const byAdapter = (a: AdapterStatus, b: AdapterStatus): number => (a.adapter < b.adapter ? -1 : 1);
  return [
    ...problems,
    ...(replay.resource.generation === resource.generation
      ? []
      : [`is at generation ${resource.generation}, its journal at ${replay.resource.generation}`]),
    ...(deepEqual([...replay.statuses.values()].toSorted(byAdapter), statuses.toSorted(byAdapter))
      ? []
      : ["statuses differ from the journal"]),
    ...(deepEqual(replay.resource.conditions, resource.conditions) ? [] : ["conditions differ from the journal"]),
  ];
}

class Replay {
  readonly statuses = new Map<string, AdapterStatus>();
  readonly #kind: FleetKind;
  readonly #replayedIds = new Set<string>();
  resource: Resource;

  constructor(kind: FleetKind, last: Resource) {
    this.#kind = kind;
    this.resource = { ...last, generation: 0, updatedTime: last.createdTime, conditions: [] };
  }

  /** Replays an entry and returns its problems. */
  replay(entry: JournalEntry): readonly string[] {
    if (this.#replayedIds.has(entry.id)) return [`duplicate journal entry ${entry.id}`];
    this.#replayedIds.add(entry.id);
    if (entry.action === "report") return this.#report(entry);
    const { generation, time, details } = entry;
    const isUnchanged = details?.["outcome"] === "unchanged";
    const isNext = generation === this.resource.generation + (isUnchanged ? 0 : 1);
    if (isUnchanged && isNext) return [];
    this.resource = { ...this.resource, generation, updatedTime: time };
    this.#settle(time);
    return isNext ? [] : [`generation ${generation} is not the successor of the previous one`];
  }

  #report({ details, adapter, time }: JournalEntry): readonly string[] {
    const report = isJsonObject(details?.["report"]) ? details["report"] : {};
    const parsed = parseReport({ ...report, adapter }, time);
    if (parsed.kind === "invalid") return [`the journal has an invalid report: ${JSON.stringify(parsed.problems)}`];
    const known = this.statuses.get(parsed.report.adapter);
    const { notReadyMs } = DEFAULT_TTL;
    const intake = decideReport(parsed.report, this.resource, known, { now: time, notReadyMs });
    const outcome = intake.kind === "discarded" ? intake.reason : intake.kind;
    if (intake.kind === "verdict" || intake.kind === "progress")
      this.statuses.set(intake.status.adapter, intake.status);
    if (intake.kind === "verdict") this.#settle(parsed.report.observedTime, time);
    return outcome === details?.["outcome"]
      ? []
      : [`a report was ${JSON.stringify(details?.["outcome"])}, not ${outcome}`];
  }

  #settle(causeTime: number, now = causeTime): void {
    const statuses = [...this.statuses.values()];
    const input = { kind: this.#kind, resource: this.resource, statuses, children: 0, causeTime, now };
    this.resource = evaluateResource(input).resource;
  }
}
