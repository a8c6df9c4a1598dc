import { ConfigMap, isReady } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { ClusterActiveOperand, Operand, operandManager } from "@levelset/operator";
import { expect } from "vitest";
import { Witness } from "./invariants.ts";
import type { SeenEvent } from "./invariants.ts";
import { config } from "./manifests.ts";
import { Observer } from "./observer.ts";
import type { Spec } from "./operands.ts";
import { runGated } from "./request-gate.ts";
import type { AnsweredRequest, GatedProcess } from "./request-gate.ts";

const X = "/api/v1/namespaces/default/configmaps/x";
const INVENTORIES = "/apis/operand.levelset.dev/v1alpha1/clusteractiveoperands";
const OPERAND = "/apis/operand.levelset.dev/v1alpha1/operands/a";
const KINDS = [Operand, ClusterActiveOperand, ConfigMap];
const ALL = Number.POSITIVE_INFINITY;

/** An object x that leaves a set and is wanted again. */
export interface Story {
  readonly first: Spec;
  /** The spec without x. */
  readonly without: JsonObject;
  /** Asks for x again. */
  readonly again: (cluster: TestCluster) => Promise<unknown>;
  /** The Operand that has x in the end. Default: the one that dropped it. */
  readonly newOwner?: string;
  /** How long x stays before it is deleted. Default: not at all. */
  readonly deferredMs?: number;
}

/** Which requests arrive before which. */
export interface Schedule {
  /** How many requests of the pruning process arrive before x is wanted again. */
  readonly pruned: number;
  /** How many requests arrive then while the next request of the pruning process is on its way. */
  readonly installed: number;
  /** How many requests of the pruning process arrive after that before the others go on. Default: all. */
  readonly resumed?: number;
  /**
   * Whether the process that installs runs from the beginning, and is notified of changes of Operands alone: its copies of objects and
   * inventories are of the time before the prune. Default false.
   */
  readonly hasStaleCaches?: boolean;
}

/** How the processes are arranged. */
export type Arrangement =
  /** One process; one of its requests is slow. */
  | "slow request"
  /** A process that is stopped for a while, and another that takes its place meanwhile. */
  | "stopped process"
  /** A process that ends, and another that takes its place. */
  | "ended process";

/** What a schedule led to. */
export interface Outcome {
  /** Whether the schedule stops before a request that the pruning process really sends. */
  readonly isReached: boolean;
  /** Whether all requests that the schedule lets pass were sent: a longer one is the same. */
  readonly isAtRest: boolean;
  /** Whether x was deleted after it was wanted again. */
  readonly isDeleted: boolean;
}

const [x, y] = [config("default", "x", { a: "1" }), config("default", "y", { a: "1" })];
const ensured = config("default", "x", { a: "1" }, { operand: { mode: "EnsureExists" } });
const ignored = config("default", "x", { a: "1" }, { operand: { mode: "Ignore" } });

function asking(steadyState: readonly object[]): Story["again"] {
  return (cluster) => cluster.patch(Operand, "a", { spec: { steadyState: steadyState as unknown as JsonObject[] } });
}

const DROPPED = { first: { steadyState: [x, y] }, without: { steadyState: [y] } } satisfies Partial<Story>;

/** The ways in which an object is wanted again. */
export const STORIES = {
  "the same set as before": { ...DROPPED, again: asking([x, y]) },
  "another set": { ...DROPPED, again: asking([x, y, config("default", "z")]) },
  "another set that only ensures it": { ...DROPPED, again: asking([ensured, config("default", "z")]) },
  "another set that ignores it": { ...DROPPED, again: asking([ignored, y]) },
  "the same set, when its time has come": {
    first: { steadyState: [x, y], prune: { mode: "Deferred", after: "10s" } },
    without: { steadyState: [y] },
    again: asking([x, y]),
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
} satisfies Readonly<Record<string, Story>>;

/** What schedules begin with. */
export interface Beginning extends AsyncDisposable {
  /** To be forked for each schedule. */
  readonly cluster: TestCluster;
  readonly events: readonly SeenEvent[];
}

/** A cluster in which an Operand has x and y and is asked to drop x. */
export async function prepare(story: Story): Promise<Beginning> {
  const cluster = await testCluster({ seed: 17, kinds: operandManager().kinds ?? [] });
  const observer = await Observer.of(cluster.fetch, KINDS);
  await dropObject(cluster, story);
  await cluster.rest();
  const events = observer.take();
  await observer.close();
  return { cluster, events, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

async function dropObject(cluster: TestCluster, { first, without, deferredMs = 0 }: Story): Promise<void> {
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
  // Up to the deletion of the inventory that has x.
  const limit = (await requestsOf(cluster)).findIndex(
    ({ method, path }) => method === "DELETE" && path.includes("/clusteractiveoperands/"),
  );
  const { stop } = runGated(cluster, { name: "setup", limit, trace: [] }, processOf("setup"));
  await cluster.rest();
  await stop();
}

/** What a process does that goes on with a fork of this cluster. */
async function requestsOf(cluster: TestCluster): Promise<readonly AnsweredRequest[]> {
  await using fork = await cluster.fork();
  const trace: AnsweredRequest[] = [];
  runGated(fork, { name: "trial", limit: ALL, trace }, processOf("trial"));
  await settle(fork, "a");
  return trace;
}

function processOf(name: string): Parameters<TestCluster["run"]>[0] {
  const operands = operandManager();
  // Without its kinds, which are there already.
  return { name, start: (world) => operands.start(world) };
}

async function settle(cluster: TestCluster, name: string): Promise<void> {
  for (let turn = 0; turn < 30; turn++) {
    await cluster.rest();
    const operand = await cluster.get(Operand, name);
    const isSame = operand?.status?.observedGeneration === operand?.metadata.generation;
    if (operand !== undefined && isSame && isReady(operand)) return;
    await cluster.clock.advance(1_000);
  }
  expect.fail(`operand/${name} is not ready: ${JSON.stringify((await cluster.get(Operand, name))?.status)}`);
}

/** Plays one schedule from the beginning, and checks all that must hold in each of them. */
export async function play(
  { cluster: base, events }: Beginning,
  story: Story,
  arrangement: Arrangement,
  schedule: Schedule,
): Promise<Outcome> {
  await using cluster = await base.fork();
  const observer = await Observer.of(cluster.fetch, KINDS);
  const uid = (await cluster.get(ConfigMap, "x"))?.metadata.uid;
  const run = new ScheduledRun(cluster, story, schedule);
  try {
    const { isReached, isAtRest } = await run.begin(arrangement);
    await run.end();
    await settle(cluster, story.newOwner ?? "a");
    await settle(cluster, "a");
    checkEvents(events, observer.take());
    // While an Operand deletes a leftover itself, the same process does not install it.
    const canInstall = arrangement !== "slow request" || story.deferredMs === undefined;
    const isDeleted = run.wasThere && checkDeletion(run, story, isAtRest && canInstall);
    await checkEnd(cluster, isDeleted || !run.wasThere ? undefined : uid, story);
    return { isReached, isAtRest, isDeleted };
  } finally {
    run.release();
    await observer.close();
  }
}

/** Processes whose requests arrive as a schedule says. */
class ScheduledRun {
  readonly trace: AnsweredRequest[] = [];
  /** How many requests had arrived when x was wanted again. */
  change = 0;
  /** Whether x was there then. */
  wasThere = false;
  readonly #cluster: TestCluster;
  readonly #story: Story;
  readonly #schedule: Schedule;
  readonly #pruning: GatedProcess;
  #installing: GatedProcess | undefined;

  constructor(cluster: TestCluster, story: Story, schedule: Schedule) {
    this.#cluster = cluster;
    this.#story = story;
    this.#schedule = schedule;
    this.#pruning = this.#start("pruning", schedule.hasStaleCaches === true ? 0 : schedule.pruned);
  }

  /** Until the request of the pruning process that was on its way has arrived. */
  async begin(arrangement: Arrangement): Promise<Pick<Outcome, "isReached" | "isAtRest">> {
    const { pruned, installed, resumed = ALL, hasStaleCaches = false } = this.#schedule;
    const { gate } = this.#pruning;
    if (hasStaleCaches) {
      this.#installing = this.#start("installing", 0);
      await this.#cluster.rest();
      this.#installing.gate.freezeCaches();
      gate.admit(pruned);
    }
    await this.#cluster.rest();
    const isReached = gate.sent > pruned;
    this.wasThere = (await this.#cluster.get(ConfigMap, "x")) !== undefined;
    if (arrangement === "ended process") await this.#pruning.stop();
    await this.#story.again(this.#cluster);
    this.change = this.trace.length;
    const limit = pruned + 1 + installed;
    if (arrangement === "slow request") gate.admit(limit, pruned);
    else this.#installing ??= this.#start("installing", installed);
    this.#installing?.gate.admit(installed);
    await this.#cluster.rest();
    const isAtRest = this.#installing === undefined ? gate.sent <= limit : this.#installing.gate.sent <= installed;
    if (arrangement === "slow request") gate.admit(limit);
    else if (arrangement === "stopped process") gate.admit(pruned + resumed);
    await this.#cluster.rest();
    return { isReached, isAtRest };
  }

  /** Lets all requests and events arrive. */
  async end(): Promise<void> {
    this.#installing?.gate.thawCaches();
    this.#installing?.gate.admit(ALL);
    await this.#cluster.rest();
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

function checkEvents(before: readonly SeenEvent[], after: readonly SeenEvent[]): void {
  const revision = ({ object }: SeenEvent): number => Number(object.metadata.resourceVersion);
  const last = Math.max(...before.map(revision));
  new Witness({ hasRaces: true }).look([...before, ...after.filter((event) => revision(event) > last)]);
}

/**
 * Whether x was deleted after it was wanted again. That is allowed only where the deletion was decided before, arrives before any
 * write of the object for the change, and arrives before an install that can run has come to rest.
 */
function checkDeletion({ trace, change }: ScheduledRun, { newOwner }: Story, hasInstalled: boolean): boolean {
  const deletion = trace.findIndex(
    ({ method, path, status }, at) => at >= change && method === "DELETE" && path === X && status === 200,
  );
  if (deletion === -1) return false;
  // Another Operand has an object from the moment on at which an inventory of it lists the object.
  const isListed = ({ method, path, status }: AnsweredRequest, at: number): boolean =>
    at >= change && method === "POST" && path === INVENTORIES && status === 201;
  const wanted = newOwner === undefined ? change : trace.findIndex(isListed);
  if (wanted === -1 || deletion < wanted) return true;
  const lines = trace.map(({ process, method, path, status }) => `${process} ${method} ${path} ${status}`);
  const story = lines.toSpliced(wanted, 0, "--- x is wanted again ---").join("\n");
  const asked = newOwner === undefined ? OPERAND : INVENTORIES;
  const latest = trace.findLastIndex(
    ({ process, method, path }, at) =>
      at < deletion && process === trace[deletion]?.process && method === "GET" && path === asked,
  );
  expect(latest, `the deletion was decided before x was wanted again\n${story}`).toBeLessThan(wanted);
  const writes = trace
    .slice(wanted, deletion)
    .filter(({ method, path, status }) => method === "PATCH" && path === X && status === 200);
  expect(writes, `no write for the change precedes the deletion\n${story}`).toEqual([]);
  expect(hasInstalled, `the install did not see that x is being deleted\n${story}`).toBe(false);
  return true;
}

async function checkEnd(cluster: TestCluster, uid: string | undefined, { newOwner = "a" }: Story): Promise<void> {
  const found = await cluster.get(ConfigMap, "x");
  const isIgnored = JSON.stringify((await cluster.get(Operand, newOwner))?.spec.steadyState).includes('"Ignore"');
  if (uid !== undefined) expect(found?.metadata.uid).toBe(uid);
  else if (!isIgnored) expect(found?.metadata.uid).toBeDefined();
  for (const { metadata } of await cluster.list(ConfigMap)) {
    const marks = Object.keys(metadata.annotations ?? {}).filter((name) => /\/(?:pruning|prune-after)$/u.test(name));
    expect(marks, `configmap/${metadata.name} keeps no mark`).toEqual([]);
  }
}

/** Which schedules are played. */
export interface Selection extends Pick<Schedule, "resumed" | "hasStaleCaches"> {
  /** The next number of requests that are let pass after this one. Default: one more. */
  readonly next?: (installed: number) => number;
}

/** Plays schedules up to the end of both lists of requests; returns how many there were, and in how many x was deleted. */
export async function playAll(
  story: Story,
  arrangement: Arrangement,
  { next = (installed) => installed + 1, ...fixed }: Selection = {},
): Promise<{ readonly schedules: number; readonly deletions: number }> {
  await using beginning = await prepare(story);
  const counts = { schedules: 0, deletions: 0 };
  for (let pruned = 0, isReached = true; isReached; pruned++) {
    for (let installed = 0, isAtRest = false; !isAtRest && isReached; installed = next(installed)) {
      const outcome = await play(beginning, story, arrangement, { pruned, installed, ...fixed });
      ({ isReached, isAtRest } = outcome);
      counts.schedules++;
      if (outcome.isDeleted) counts.deletions++;
    }
  }
  return counts;
}
