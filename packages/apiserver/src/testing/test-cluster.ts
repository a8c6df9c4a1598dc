import { CustomResourceDefinition, crdOf, kindId } from "@levelset/core";
import type { AnyCustomKind, Fetch, Kind, LogLine, ObjectOf, Runnable } from "@levelset/core";
import { atRest, faultyFetch, memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import type { FaultyFetch, SeenRequest } from "@levelset/core/testing";
import type { ControllerOptions } from "../controllers/index.ts";
import { createApiServer } from "../server/index.ts";
import type { ApiServer } from "../server/index.ts";
import { MemoryStore } from "../store/index.ts";
import { DEFAULT_NAMESPACE, objectPath, Objects } from "./objects.ts";
import type { Fields, MergePatch } from "./objects.ts";
import { recordWrites } from "./recorder.ts";
import type { SeenWrite } from "./recorder.ts";
import { RunningRunnable } from "./running.ts";
import type { Running } from "./running.ts";

/** How a test cluster starts. */
export interface TestClusterOptions {
  /** Decides uids, generated names and every draw of what runs in the cluster. Default 1. */
  readonly seed?: number;
  /** Kinds to install at once. */
  readonly kinds?: readonly AnyCustomKind[];
  /** Whether workloads come true, as far as the clock moves: Deployments get pods, pods get ready, Jobs end. Default false. */
  readonly workloads?: ControllerOptions["workloads"];
  /** What else runs behind the server; `serviceAccounts` is off unless asked for. */
  readonly controllers?: ControllerOptions;
}

/** Rounds of the event loop that a cluster may need to come to rest before that counts as a hot loop. */
const ROUNDS_MAX = 200;
/** Rounds without a request or a write that count as rest. */
const QUIET_ROUNDS = 2;
/** How far apart the seeds of forks are, so that they meet neither each other's nor those of what runs in a cluster. */
const FORK_SEEDS = 1_000_003;

/** What a cluster goes on from. */
interface ClusterState {
  readonly store?: MemoryStore;
  /** Milliseconds since the epoch. */
  readonly now?: number;
}

/**
 * A whole cluster in this process: the real server, a virtual clock, chance from a seed, no ports, no sleeping. What it runs
 * reaches the server through `faults`; the test's own requests do not, and are not counted. Objects live in the namespace
 * `default` unless another is named.
 */
export class TestCluster implements AsyncDisposable {
  readonly clock: VirtualClock;
  /** The server as the test itself reaches it. */
  readonly fetch: Fetch;
  /** Between the server and what runs in the cluster. */
  readonly faults: FaultyFetch;
  /** What the server and everything that runs in the cluster has logged. */
  readonly logs: readonly LogLine[];
  readonly #server: ApiServer;
  readonly #store: MemoryStore;
  readonly #objects: Objects;
  readonly #logger;
  readonly #options: TestClusterOptions;
  readonly #seed: number;
  readonly #running: RunningRunnable[] = [];
  readonly #writes: SeenWrite[] = [];
  /** Settles when every kind asked for so far is served. */
  #installed: Promise<void> = Promise.resolve();

  /** A new cluster, or one that goes on from `state`. */
  constructor(options: TestClusterOptions = {}, state: ClusterState = {}) {
    this.#options = options;
    this.#seed = options.seed ?? 1;
    this.clock = new VirtualClock(state.now);
    this.#store = state.store ?? new MemoryStore();
    const { logger, lines } = memoryLogger();
    this.#logger = logger;
    this.logs = lines;
    const { workloads = false } = options;
    const controllers = { workloads, ...options.controllers };
    const random = seededRandom(this.#seed);
    this.#server = createApiServer({ clock: this.clock, random, logger, store: this.#store, controllers });
    this.fetch = this.#server.fetch;
    this.faults = faultyFetch(this.fetch, { clock: this.clock });
    this.#objects = new Objects(this.fetch);
  }

  /**
   * Another cluster with the same objects, history and time, once this one is at rest. From there each goes its own way: with its
   * own clock, faults, logs and counts. What runs here does not run there. Costs about a millisecond, however much there is, so
   * one cluster can be prepared for many tests. Forks of the same state have the same chance unless `seed` says otherwise.
   */
  async fork(options: { readonly seed?: number } = {}): Promise<TestCluster> {
    await this.#installed;
    await this.rest();
    // Chance must not repeat itself: what is there was named by the draws of this cluster.
    const seed = options.seed ?? this.#seed + FORK_SEEDS * this.#store.revision;
    return new TestCluster({ ...this.#options, seed }, { store: this.#store.fork(), now: this.clock.now() });
  }

  /**
   * Starts something against the cluster, after installing the kinds that it brings. Its failure surfaces in the next `settled` or
   * when the cluster is disposed.
   */
  run(runnable: Runnable): Running {
    // Each has draws of its own, so that one more draw here does not change what happens there.
    const random = seededRandom(this.#seed + 1000 * (this.#running.length + 1));
    const fetch = recordWrites(this.#breathing(this.faults.fetch), (write) => this.#writes.push(write));
    const installed = this.#install(runnable.kinds ?? []);
    const running = new RunningRunnable(runnable, installed, {
      fetch,
      clock: this.clock,
      random,
      logger: this.#logger,
    });
    this.#running.push(running);
    return running;
  }

  /** Declares a kind to the server. */
  async install(kind: AnyCustomKind): Promise<void> {
    await this.#install([kind]);
  }

  #install(kinds: readonly AnyCustomKind[]): Promise<void> {
    this.#installed = this.#installAfter(this.#installed, kinds);
    return this.#installed;
  }

  async #installAfter(earlier: Promise<void>, kinds: readonly AnyCustomKind[]): Promise<void> {
    await earlier;
    for (const { metadata, spec } of kinds.map((kind) => crdOf(kind))) {
      await this.#objects.apply(CustomResourceDefinition, { name: metadata.name, spec });
    }
  }

  /** Creates an object, or merges into the one that is there. */
  async apply<K extends Kind>(kind: K, fields: Fields<K>): Promise<ObjectOf<K>> {
    await this.#installed;
    return this.#objects.apply(kind, fields);
  }

  /** Creates an object. */
  async create<K extends Kind>(kind: K, fields: Fields<K>): Promise<ObjectOf<K>> {
    await this.#installed;
    return this.#objects.create(kind, fields);
  }

  /** The object as it is now; undefined when absent. */
  get<K extends Kind>(kind: K, name: string, namespace?: string): Promise<ObjectOf<K> | undefined> {
    return this.#objects.get(kind, name, namespace);
  }

  /** All objects of a kind; of one namespace if named. */
  list<K extends Kind>(kind: K, namespace?: string): Promise<readonly ObjectOf<K>[]> {
    return this.#objects.list(kind, namespace);
  }

  /** Changes an object by a merge patch. */
  patch<K extends Kind>(kind: K, name: string, patch: MergePatch, namespace?: string): Promise<ObjectOf<K>> {
    return this.#objects.patch(kind, name, patch, namespace);
  }

  /** Changes the status of an object by a merge patch of the status alone. */
  patchStatus<K extends Kind>(kind: K, name: string, status: MergePatch, namespace?: string): Promise<ObjectOf<K>> {
    return this.#objects.patchStatus(kind, name, status, namespace);
  }

  /** Asks for an object's deletion. Finalizers may hold it; see `gone`. */
  delete(kind: Kind, name: string, namespace?: string): Promise<void> {
    return this.#objects.delete(kind, name, namespace);
  }

  /** Waits until nothing in the cluster moves any more, as long as the clock stands still. Throws what failed meanwhile. */
  async rest(): Promise<void> {
    let quiet = 0;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const [requests, revision] = [this.faults.seen.length, this.#store.revision];
      await atRest();
      for (const running of this.#running) running.check();
      quiet = requests === this.faults.seen.length && revision === this.#store.revision ? quiet + 1 : 0;
      if (quiet === QUIET_ROUNDS) return;
    }
    throw new Error(`the cluster does not come to rest: ${this.#restless()}`);
  }

  /** The object once everything is at rest. Throws when it is absent. */
  async settled<K extends Kind>(kind: K, name: string, namespace?: string): Promise<ObjectOf<K>> {
    await this.rest();
    const object = await this.get(kind, name, namespace);
    if (object === undefined) throw new Error(`${kindId(kind)} ${name} does not exist once the cluster is at rest`);
    return object;
  }

  /** Resolves once everything is at rest and the object is gone. Throws when it is still there, with what holds it. */
  async gone(kind: Kind, name: string, namespace?: string): Promise<void> {
    await this.rest();
    const object = await this.get(kind, name, namespace);
    if (object === undefined) return;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    const why = deletionTimestamp === undefined ? "nobody asked for its deletion" : `held by ${finalizers.join(", ")}`;
    throw new Error(`${kindId(kind)} ${name} is still there: ${why}`);
  }

  /** How many write requests about this object (its status included) came from what runs in the cluster. */
  writes(kind: Kind, name: string, namespace?: string): number {
    const path = objectPath(kind, name, namespace);
    return this.#writes.filter((write) => write.path === path || write.path.startsWith(`${path}/`)).length;
  }

  /** All requests that came from what runs in the cluster. */
  requests(): readonly SeenRequest[] {
    return [...this.faults.seen];
  }

  /** Every state that the object has been in, oldest first, as a watch since its creation has seen them. */
  history<K extends Kind>(kind: K, name: string, namespace: string = DEFAULT_NAMESPACE): readonly ObjectOf<K>[] {
    const key = { resource: kindId(kind), namespace: kind.scope === "Namespaced" ? namespace : "", name };
    return this.#store
      .history(key)
      .filter((event) => event.kind !== "deleted")
      .map((event) => event.record.object as unknown as ObjectOf<K>); // validated by the schema that the type comes from
  }

  /** Stops everything that runs, then the server. Throws what failed and was not seen before. */
  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = await Promise.allSettled(this.#running.map((running) => running.stop()));
    this.#server.close();
    const failures = stopped.filter((result) => result.status === "rejected").map((result): unknown => result.reason);
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, "several runnables failed");
  }

  /**
   * Nothing in a cluster waits for more than promises, so a hot loop would never let go of the event loop and no timeout could
   * end the test: every hundredth request gives it a turn.
   */
  #breathing(fetch: Fetch): Fetch {
    return async (request) => {
      if (this.faults.seen.length % 100 === 99) await atRest();
      return fetch(request);
    };
  }

  #restless(): string {
    const latest = this.faults.seen.slice(-5).map((request) => `${request.method} ${request.path}`);
    if (latest.length === 0) return `revision ${this.#store.revision} and counting, without requests`;
    return `${this.faults.seen.length} requests, the latest: ${latest.join(", ")}`;
  }
}

/** Starts a cluster and installs the given kinds. */
export async function testCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const cluster = new TestCluster(options);
  for (const kind of options.kinds ?? []) await cluster.install(kind);
  return cluster;
}
