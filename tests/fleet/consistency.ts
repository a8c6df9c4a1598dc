/**
 * Whether a store is whole: what it holds is compared with what its journal says happened. The journal has every report and every
 * change once, in the order in which one process made them, so that resources can be made again from it by the pure decisions alone.
 */
import { canonicalJson, deepEqual, isJsonObject } from "@levelset/core";
import {
  conditionOf,
  decideReport,
  DEFAULT_TTL,
  dueTime,
  EVERY_TENANT,
  isDeleting,
  parseReport,
  settle,
} from "@levelset/fleet";
import type {
  AdapterStatus,
  FleetKind,
  FleetKinds,
  FleetStore,
  JournalEntry,
  Resource,
  Stored,
  StoredPlan,
} from "@levelset/fleet";

const PAGE = 500;
/** How much later than its TTL a look may be planned. */
const SPREAD = 1.11;

/** All resources of a store with what is planned for them. */
export async function everything(store: FleetStore, kinds: FleetKinds): Promise<readonly StoredPlan[]> {
  const names = kinds.all.map(({ kind }) => kind);
  const found: StoredPlan[] = [];
  for (;;) {
    const part = await store.planned(names, found.at(-1)?.stored.resource.id, PAGE);
    found.push(...part);
    if (part.length < PAGE) return found;
  }
}

/** The journal of a resource, the oldest first. */
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

/** What does not fit together in a store; empty if all does. Replays the journal unless several processes wrote it. */
export async function inconsistencies(
  store: FleetStore,
  kinds: FleetKinds,
  options: { readonly isReplayed: boolean } = { isReplayed: true },
): Promise<readonly string[]> {
  const all = await everything(store, kinds);
  const children = Map.groupBy(all, ({ stored }) => stored.resource.owner?.id);
  const problems: string[] = [];
  for (const plan of all) {
    const { stored } = plan;
    const kind = kinds.find(stored.resource.kind);
    if (kind === undefined) throw new TypeError(`there is no kind ${stored.resource.kind}`);
    const found = [
      ...invariants(kind, plan, children.get(stored.resource.id)?.length ?? 0),
      ...(options.isReplayed && !isDeleting(stored.resource)
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
  const settled = settle({ kind, resource, statuses, children, causeTime: resource.updatedTime });
  const ttl = { readyMs: DEFAULT_TTL.readyMs * SPREAD, notReadyMs: DEFAULT_TTL.notReadyMs };
  const latest = dueTime({ kind, resource, statuses, pulsedTime: undefined, now, ttl });
  const aliases = [
    ["Ready", "Reconciled"],
    ["Available", "LastKnownReconciled"],
  ] as const;
  return [
    ...(stored.children === children ? [] : [`counts ${stored.children} children and has ${children}`]),
    ...(settled.kind === "gone" ? ["has nothing left to wait for and is still there"] : []),
    ...(deepEqual(saying(settled.resource), saying(resource))
      ? []
      : ["its conditions are not what its statuses add up to"]),
    ...aliases.flatMap(([type, alias]) => {
      const [one, other] = [conditionOf(resource.conditions, type), conditionOf(resource.conditions, alias)];
      return deepEqual({ ...one, type: alias }, { ...other, type: alias }) ? [] : [`${type} differs from ${alias}`];
    }),
    ...(latest === undefined || (planned !== undefined && planned <= latest)
      ? []
      : [`is planned for ${planned}, but ought to be looked at by ${latest}`]),
  ];
}

/** What conditions say, without the times at which they began to. Whether an adapter flaps is a matter of time. */
function saying({ conditions }: Resource): unknown {
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
    const wanted = [
      ...Object.values(resource.references).flat(),
      ...(resource.owner === undefined ? [] : [resource.owner]),
    ];
    return wanted
      .filter(({ id }) => !present.has(id))
      .map(({ kind, id }) => `${resource.kind} ${resource.name}: leads to ${kind} ${id}, which is not there`);
  });
}

function twice(all: readonly StoredPlan[]): readonly string[] {
  const active = all.map(({ stored }) => stored.resource).filter((resource) => !isDeleting(resource));
  const names = Map.groupBy(active, ({ kind, name, owner, tenancy }) =>
    JSON.stringify([kind, name, owner?.id ?? canonicalJson(tenancy)]),
  );
  return [...names].filter(([, found]) => found.length > 1).map(([name]) => `${name} is there more than once`);
}

/** What differs between a resource and what its journal makes of it. */
function replayed(
  kind: FleetKind,
  { resource, statuses }: Stored,
  journal: readonly JournalEntry[],
): readonly string[] {
  const replay = new Replay(kind, resource);
  const problems = journal.flatMap((entry) => replay.happen(entry));
  const byAdapter = (a: AdapterStatus, b: AdapterStatus): number => (a.adapter < b.adapter ? -1 : 1);
  return [
    ...problems,
    ...(replay.resource.generation === resource.generation
      ? []
      : [`is at generation ${resource.generation}, its journal at ${replay.resource.generation}`]),
    ...(deepEqual([...replay.statuses.values()].toSorted(byAdapter), statuses.toSorted(byAdapter))
      ? []
      : ["its statuses are not those of its journal"]),
    ...(deepEqual(replay.resource.conditions, resource.conditions)
      ? []
      : ["its conditions are not those of its journal"]),
  ];
}

class Replay {
  readonly statuses = new Map<string, AdapterStatus>();
  readonly #kind: FleetKind;
  readonly #seen = new Set<string>();
  resource: Resource;

  constructor(kind: FleetKind, last: Resource) {
    this.#kind = kind;
    this.resource = { ...last, generation: 0, updatedTime: last.createdTime, conditions: [] };
  }

  /** Lets it happen again; answers with what is wrong with that. */
  happen(entry: JournalEntry): readonly string[] {
    if (this.#seen.has(entry.id)) return [`the journal has ${entry.id} twice`];
    this.#seen.add(entry.id);
    if (entry.action === "report") return this.#report(entry);
    const { generation, time, details } = entry;
    const isUnchanged = details?.["outcome"] === "unchanged";
    const isNext = generation === this.resource.generation + (isUnchanged ? 0 : 1);
    if (isUnchanged && isNext) return [];
    this.resource = { ...this.resource, generation, updatedTime: time };
    this.#settle(time);
    return isNext ? [] : [`generation ${generation} follows another one than that before it`];
  }

  #report({ details, adapter, time }: JournalEntry): readonly string[] {
    const said = isJsonObject(details?.["report"]) ? details["report"] : {};
    const parsed = parseReport({ ...said, adapter }, time);
    if (parsed.kind === "invalid") return [`the journal has a report that is none: ${JSON.stringify(parsed.problems)}`];
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
    this.resource = settle(input).resource;
  }
}
