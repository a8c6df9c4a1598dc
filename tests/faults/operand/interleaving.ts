import { ConfigMap, isReady } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { expect } from "vitest";
import { InvariantChecker } from "./invariants.ts";
import type { ObservedEvent } from "./invariants.ts";
import { config } from "../../scenarios/operand/manifests.ts";
import { WatchRecorder } from "./watch-recorder.ts";
import type { Spec } from "../../scenarios/operand/operands.ts";
import { runGated } from "./request-gate.ts";
import type { AnsweredRequest, GatedProcess } from "./request-gate.ts";

const X = "/api/v1/namespaces/default/configmaps/x";
const INVENTORIES = "/apis/operand.levelset.dev/v1alpha1/clusteractiveoperands";
const OPERAND = "/apis/operand.levelset.dev/v1alpha1/operands/a";
const KINDS = [Operand, ClusterActiveOperand, ConfigMap];
const ALL = Number.POSITIVE_INFINITY;

/** An object x that is dropped from a set and desired again. */
export interface RedesireCase {
  readonly first: Spec;
  /** The spec without x. */
  readonly without: JsonObject;
  /** Makes x desired again. */
  readonly again: (cluster: TestCluster) => Promise<unknown>;
  /** The Operand that has x at the end. Default: the one that dropped it. */
  readonly newOwner?: string;
  /** Prune delay of x. Default: none. */
  readonly deferredMs?: number;
}

/** Order in which requests arrive. */
export interface Schedule {
  /** Number of requests of the pruning process before x is desired again. */
  readonly pruned: number;
  /** Number of requests that arrive then while the next request of the pruning process is delayed. */
  readonly installed: number;
  /** Number of further requests of the pruning process before the others continue. Default: all. */
  readonly resumed?: number;
  /**
   * True if the installing process runs from the beginning and receives events of Operands only: its cached objects and
   * inventories are older than the prune. Default false.
   */
  readonly hasStaleCaches?: boolean;
}

/** Arrangement of the processes. */
export type Arrangement =
  /** One process; one of its requests is slow. */
  | "slow request"
  /** A process that is paused, and another that takes its place meanwhile. */
  | "stopped process"
  /** A process that ends, and another that takes its place. */
  | "ended process";

/** Result of a schedule. */
export interface Outcome {
  /** True if the schedule stops before a request that the pruning process really sends. */
  readonly isReached: boolean;
  /** True if all requests that the schedule admits were sent: a longer one is the same. */
  readonly isAtRest: boolean;
  /** True if x was deleted after it was desired again. */
  readonly isDeleted: boolean;
}

const [x, y] = [config("default", "x", { a: "1" }), config("default", "y", { a: "1" })];
const ensured = config("default", "x", { a: "1" }, { operand: { mode: "EnsureExists" } });
const ignored = config("default", "x", { a: "1" }, { operand: { mode: "Ignore" } });

function patchSteadyState(steadyState: readonly object[]): RedesireCase["again"] {
  return (cluster) => cluster.patch(Operand, "a", { spec: { steadyState: steadyState as unknown as JsonObject[] } });
}

const DROPPED = { first: { steadyState: [x, y] }, without: { steadyState: [y] } } satisfies Partial<RedesireCase>;

/** Ways in which an object is desired again. */
export const REDESIRE_CASES = {
  "the same set as before": { ...DROPPED, again: patchSteadyState([x, y]) },
  "another set": { ...DROPPED, again: patchSteadyState([x, y, config("default", "z")]) },
  "another set that only ensures it": { ...DROPPED, again: patchSteadyState([ensured, config("default", "z")]) },
  "another set that ignores it": { ...DROPPED, again: patchSteadyState([ignored, y]) },
  "the same set, when its time has come": {
    first: { steadyState: [x, y], prune: { mode: "Deferred", after: "10s" } },
    without: { steadyState: [y] },
    again: patchSteadyState([x, y]),
    deferredMs: 10_000,
  },
  "another Operand": {
    ...DROPPED,
    again: (cluster) => cluster.create(Operand, { name: "b", spec: { steadyState: [x] } }),
    newOwner: "b",
  },
  "another Operand that only ensures it": {
    ...DROPPED,
    again: (cluster) => cluster.create(Operand, { name: "b", spec: { steadyState: [ensured] } }),
    newOwner: "b",
  },
} satisfies Readonly<Record<string, RedesireCase>>;

/** Cases for each way in which an install uses a cached object. */
export const CACHE_USES: readonly string[] = [
  "the same set as before",
  "another set that only ensures it",
  "another Operand that only ensures it",
];

/** A sample of the numbers of requests that an install may have sent. */
export const SPARSE = (installed: number): number => installed + 6;

/** Common start of all schedules. */
export interface PreparedCluster extends AsyncDisposable {
  /** Forked for each schedule. */
  readonly cluster: TestCluster;
  readonly events: readonly ObservedEvent[];
}

/** Creates a cluster in which an Operand has x and y and is changed to drop x. */
export async function prepare(redesire: RedesireCase): Promise<PreparedCluster> {
  const cluster = await testCluster({ seed: 17, kinds: operandManager().kinds ?? [] });
  const observer = await WatchRecorder.of(cluster.fetch, KINDS);
  await dropObject(cluster, redesire);
  await cluster.untilIdle();
  const events = observer.take();
  await observer.close();
  return { cluster, events, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

async function dropObject(cluster: TestCluster, { first, without, deferredMs = 0 }: RedesireCase): Promise<void> {
  await cluster.create(Operand, { name: "a", spec: first });
  const running = cluster.run(processOf("setup"));
  await settle(cluster, "a");
  if (deferredMs === 0) await running.stop();
  await cluster.patch(Operand, "a", { spec: without });
  if (deferredMs > 0) {
    await settle(cluster, "a");
    await running.stop();
    await cluster.clock.advance(deferredMs);
    return;
  }
  // Up to the deletion of the inventory that lists x.
  const limit = (await requestsOf(cluster)).findIndex(
    ({ method, path }) => method === "DELETE" && path.includes("/clusteractiveoperands/"),
  );
  const { stop } = runGated(cluster, { name: "setup", limit, trace: [] }, processOf("setup"));
  await cluster.untilIdle();
  await stop();
}

/** Returns the requests of a process that continues on a fork of this cluster. */
async function requestsOf(cluster: TestCluster): Promise<readonly AnsweredRequest[]> {
  await using fork = await cluster.fork();
  const trace: AnsweredRequest[] = [];
  runGated(fork, { name: "trial", limit: ALL, trace }, processOf("trial"));
  await settle(fork, "a");
  return trace;
}

function processOf(name: string): Parameters<TestCluster["run"]>[0] {
  const operands = operandManager();
  // Without its kinds, which exist already.
  return { name, start: (world) => operands.start(world) };
}

async function settle(cluster: TestCluster, name: string): Promise<void> {
  for (let turn = 0; turn < 30; turn++) {
    await cluster.untilIdle();
    const operand = await cluster.get(Operand, name);
    const isSame = operand?.status?.observedGeneration === operand?.metadata.generation;
    if (operand !== undefined && isSame && isReady(operand)) return;
    await cluster.clock.advance(1_000);
  }
  expect.fail(`operand/${name} is not ready: ${JSON.stringify((await cluster.get(Operand, name))?.status)}`);
}

/** Runs one schedule from the beginning and checks the invariants. */
export async function play(
  { cluster: base, events }: PreparedCluster,
  redesire: RedesireCase,
  arrangement: Arrangement,
  schedule: Schedule,
): Promise<Outcome> {
  await using cluster = await base.fork();
  const observer = await WatchRecorder.of(cluster.fetch, KINDS);
  const uid = (await cluster.get(ConfigMap, "x"))?.metadata.uid;
  const run = new ScheduledRun(cluster, redesire, schedule);
  try {
    const { isReached, isAtRest } = await run.begin(arrangement);
    await run.end();
    await settle(cluster, redesire.newOwner ?? "a");
    await settle(cluster, "a");
    checkEvents(events, observer.take());
    // While an Operand deletes a leftover itself, the same process does not install it.
    const canInstall = arrangement !== "slow request" || redesire.deferredMs === undefined;
    const isDeleted = run.wasThere && checkDeletion(run, redesire, isAtRest && canInstall);
    await checkEnd(cluster, isDeleted || !run.wasThere ? undefined : uid, redesire);
    return { isReached, isAtRest, isDeleted };
  } finally {
    run.release();
    await observer.close();
  }
}

/** Processes whose requests arrive in the order of a schedule. */
class ScheduledRun {
  readonly trace: AnsweredRequest[] = [];
  /** Number of requests that had arrived when x was desired again. */
  change = 0;
  /** True if x existed then. */
  wasThere = false;
  readonly #cluster: TestCluster;
  readonly #redesire: RedesireCase;
  readonly #schedule: Schedule;
  readonly #pruning: GatedProcess;
  #installing: GatedProcess | undefined;

  constructor(cluster: TestCluster, redesire: RedesireCase, schedule: Schedule) {
    this.#cluster = cluster;
    this.#redesire = redesire;
    this.#schedule = schedule;
    this.#pruning = this.#start("pruning", schedule.hasStaleCaches === true ? 0 : schedule.pruned);
  }

  /** Runs until the delayed request of the pruning process has arrived. */
  async begin(arrangement: Arrangement): Promise<Pick<Outcome, "isReached" | "isAtRest">> {
    const { pruned, installed, resumed = ALL, hasStaleCaches = false } = this.#schedule;
    const { gate } = this.#pruning;
    if (hasStaleCaches) {
      this.#installing = this.#start("installing", 0);
      await this.#cluster.untilIdle();
      this.#installing.gate.freezeCaches();
      gate.admit(pruned);
    }
    await this.#cluster.untilIdle();
    const isReached = gate.sent > pruned;
    this.wasThere = (await this.#cluster.get(ConfigMap, "x")) !== undefined;
    if (arrangement === "ended process") await this.#pruning.stop();
    await this.#redesire.again(this.#cluster);
    this.change = this.trace.length;
    const limit = pruned + 1 + installed;
    if (arrangement === "slow request") gate.admit(limit, pruned);
    else this.#installing ??= this.#start("installing", installed);
    this.#installing?.gate.admit(installed);
    await this.#cluster.untilIdle();
    const isAtRest = this.#installing === undefined ? gate.sent <= limit : this.#installing.gate.sent <= installed;
    if (arrangement === "slow request") gate.admit(limit);
    else if (arrangement === "stopped process") gate.admit(pruned + resumed);
    await this.#cluster.untilIdle();
    return { isReached, isAtRest };
  }

  /** Lets all requests and events arrive. */
  async end(): Promise<void> {
    this.#installing?.gate.thawCaches();
    this.#installing?.gate.admit(ALL);
    await this.#cluster.untilIdle();
    this.release();
  }

  release(): void {
    this.#installing?.gate.thawCaches();
    this.#installing?.gate.admit(ALL);
    this.#pruning.gate.admit(ALL);
  }

  #start(name: string, limit: number): GatedProcess {
    return runGated(this.#cluster, { name, limit, trace: this.trace }, processOf(name));
  }
}

function checkEvents(before: readonly ObservedEvent[], after: readonly ObservedEvent[]): void {
  const revision = ({ object }: ObservedEvent): number => Number(object.metadata.resourceVersion);
  const last = Math.max(...before.map(revision));
  new InvariantChecker({ hasRaces: true }).observe([...before, ...after.filter((event) => revision(event) > last)]);
}

/**
 * Reports whether x was deleted after it was desired again. That is allowed only if the deletion was decided before,
 * arrives before any write of the object for the change, and arrives before a runnable install has settled.
 */
function checkDeletion({ trace, change }: ScheduledRun, { newOwner }: RedesireCase, hasInstalled: boolean): boolean {
  const deletion = trace.findIndex(
    ({ method, path, status }, at) => at >= change && method === "DELETE" && path === X && status === 200,
  );
  if (deletion === -1) return false;
  // Another Operand has an object as soon as one of its inventories lists it.
  const isListed = ({ method, path, status }: AnsweredRequest, at: number): boolean =>
    at >= change && method === "POST" && path === INVENTORIES && status === 201;
  const desiredAt = newOwner === undefined ? change : trace.findIndex(isListed);
  if (desiredAt === -1 || deletion < desiredAt) return true;
  const lines = trace.map(({ process, method, path, status }) => `${process} ${method} ${path} ${status}`);
  const log = lines.toSpliced(desiredAt, 0, "--- x is desired again ---").join("\n");
  const decisive = newOwner === undefined ? OPERAND : INVENTORIES;
  const latest = trace.findLastIndex(
    ({ process, method, path }, at) =>
      at < deletion && process === trace[deletion]?.process && method === "GET" && path === decisive,
  );
  expect(latest, `the deletion was decided before x was desired again\n${log}`).toBeLessThan(desiredAt);
  const writes = trace
    .slice(desiredAt, deletion)
    .filter(({ method, path, status }) => method === "PATCH" && path === X && status === 200);
  expect(writes, `no write for the change precedes the deletion\n${log}`).toEqual([]);
  expect(hasInstalled, `the install did not see that x is being deleted\n${log}`).toBe(false);
  return true;
}

async function checkEnd(
  cluster: TestCluster,
  uid: string | undefined,
  { newOwner = "a" }: RedesireCase,
): Promise<void> {
  const found = await cluster.get(ConfigMap, "x");
  const isIgnored = JSON.stringify((await cluster.get(Operand, newOwner))?.spec.steadyState).includes('"Ignore"');
  if (uid !== undefined) expect(found?.metadata.uid).toBe(uid);
  else if (!isIgnored) expect(found?.metadata.uid).toBeDefined();
  for (const { metadata } of await cluster.list(ConfigMap)) {
    const marks = Object.keys(metadata.annotations ?? {}).filter((name) => /\/(?:pruning|prune-after)$/u.test(name));
    expect(marks, `configmap/${metadata.name} has no prune mark`).toEqual([]);
  }
}

/** Selection of schedules. */
export interface Selection extends Pick<Schedule, "resumed" | "hasStaleCaches"> {
  /** Returns the next number of admitted requests. Default: one more. */
  readonly next?: (installed: number) => number;
}

/**
 * Runs schedules up to the end of both lists of requests; returns their number, and the number in which x was deleted.
 */
export async function playAll(
  redesire: RedesireCase,
  arrangement: Arrangement,
  { next = (installed) => installed + 1, ...fixed }: Selection = {},
): Promise<{ readonly schedules: number; readonly deletions: number }> {
  await using prepared = await prepare(redesire);
  const counts = { schedules: 0, deletions: 0 };
  for (let pruned = 0, isReached = true; isReached; pruned++) {
    for (let installed = 0, isAtRest = false; !isAtRest && isReached; installed = next(installed)) {
      const outcome = await play(prepared, redesire, arrangement, { pruned, installed, ...fixed });
      ({ isReached, isAtRest } = outcome);
      counts.schedules++;
      if (outcome.isDeleted) counts.deletions++;
    }
  }
  return counts;
}
