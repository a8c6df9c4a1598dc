import { CustomResourceDefinition, crdOf, isJsonObject, kindId } from "@levelset/core";
import type { AnyCustomKind, Fetch, JsonObject, JsonValue, Kind, LogLine, ObjectOf, Runnable } from "@levelset/core";
import { applyMergePatch } from "@levelset/core/apply";
import { deepEqual } from "@levelset/core/internal";
import type { NewCrd } from "@levelset/core/schema";
import { untilIdle, faultyFetch, memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import type { FaultyFetch, RecordedRequest } from "@levelset/core/testing";
import type { BuiltinControllerOptions } from "../controllers/index.ts";
import { createApiServer } from "../server/index.ts";
import type { ApiServer } from "../server/index.ts";
import { MemoryStore } from "../store/index.ts";
import type { Store } from "../store/index.ts";
import { DEFAULT_NAMESPACE, objectPath, TestClient } from "./test-client.ts";
import type { ObjectFields, MergePatch } from "./test-client.ts";
import { recordWrites } from "./write-recorder.ts";
import type { RecordedWrite } from "./write-recorder.ts";
import { StartedRunnable } from "./runnable-handle.ts";
import type { RunnableHandle } from "./runnable-handle.ts";

/** Options of {@link TestCluster}. */
export interface TestClusterOptions {
  /** Seed of uids, generated names and the random numbers of runnables. Default 1. */
  readonly seed?: number;
  /** Kinds to install at start. */
  readonly kinds?: readonly AnyCustomKind[];
  /**
   * Simulates workloads as the virtual clock advances: Deployments create pods, pods become ready, Jobs end. Default
   * false.
   */
  readonly workloads?: BuiltinControllerOptions["workloads"];
  /** Built-in controllers to run. `serviceAccounts` is off by default. */
  readonly controllers?: BuiltinControllerOptions;
}

/** Event loop rounds after which a cluster that is not idle is reported as a hot loop. */
const ROUNDS_MAX = 200;
/** Consecutive rounds without a request or a write after which the cluster is idle. */
const QUIET_ROUNDS = 2;
/** Distance between the seeds of forks, so that they collide neither with each other nor with those of runnables. */
const FORK_SEEDS = 1_000_003;

/** Initial state of a cluster. */
interface ClusterState {
  /** Its objects; the cluster closes it. Default: a new `MemoryStore`. */
  readonly store?: Store;
  /** Milliseconds since the epoch. */
  readonly now?: number;
}

/**
 * An in-process cluster: the levelset API server with a virtual clock and seeded random numbers, without ports or
 * sleeps. Requests of runnables go through `faults`; requests of the test do not, and are not counted. The default
 * namespace is `default`.
 */
export class TestCluster implements AsyncDisposable {
  readonly clock: VirtualClock;
  /** Sends requests of the test, without faults. */
  readonly fetch: Fetch;
  /** Fault injection for the requests of runnables. */
  readonly faults: FaultyFetch;
  /** Log lines of the server and of all runnables. */
  readonly logs: readonly LogLine[];
  readonly #server: ApiServer;
  readonly #store: Store;
  readonly #objects: TestClient;
  readonly #logger;
  readonly #options: TestClusterOptions;
  readonly #seed: number;
  readonly #running: StartedRunnable[] = [];
  readonly #writes: RecordedWrite[] = [];
  /** Settles when all requested kinds are served. */
  #installed: Promise<void> = Promise.resolve();

  /** Creates an empty cluster, or one with the given state. */
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
    this.#objects = new TestClient(this.fetch);
  }

  /**
   * Waits until this cluster is idle and returns an independent one with the same objects, history and time, and with
   * its own clock, faults, logs and counters. Runnables are not copied. Takes about a millisecond regardless of the
   * number of objects. Forks of the same state have the same random numbers unless `seed` is set. Throws if the store
   * is not a `MemoryStore`.
   */
  async fork(options: { readonly seed?: number } = {}): Promise<TestCluster> {
    const store = this.#store;
    if (!(store instanceof MemoryStore)) throw new Error("only a cluster in memory can be forked");
    await this.#installed;
    await this.untilIdle();
    // A new seed, because the names and uids of the existing objects were generated from the old one.
    const seed = options.seed ?? this.#seed + FORK_SEEDS * store.revision;
    return new TestCluster({ ...this.#options, seed }, { store: store.fork(), now: this.clock.now() });
  }

  /**
   * Installs the kinds of a runnable and starts it. A failure is thrown by the next `untilIdle`, `untilSettled` or
   * `untilDeleted`, or when the cluster is disposed.
   */
  run(runnable: Runnable): RunnableHandle {
    // Each runnable has its own random sequence, so that runnables do not influence each other.
    const random = seededRandom(this.#seed + 1000 * (this.#running.length + 1));
    const fetch = recordWrites(this.#breathing(this.faults.fetch), (write) => this.#writes.push(write));
    const installed = this.#install(runnable.kinds ?? []);
    const running = new StartedRunnable(runnable, installed, {
      fetch,
      clock: this.clock,
      random,
      logger: this.#logger,
    });
    this.#running.push(running);
    return running;
  }

  /** Installs the CustomResourceDefinition of a kind. */
  async install(kind: AnyCustomKind): Promise<void> {
    await this.#install([kind]);
  }

  #install(kinds: readonly AnyCustomKind[]): Promise<void> {
    this.#installed = this.#installAfter(this.#installed, kinds);
    return this.#installed;
  }

  async #installAfter(earlier: Promise<void>, kinds: readonly AnyCustomKind[]): Promise<void> {
    await earlier;
    for (const crd of kinds.map((kind) => crdOf(kind))) {
      const { metadata, spec } = crd;
      if (!this.#isInstalled(crd)) await this.#objects.apply(CustomResourceDefinition, { name: metadata.name, spec });
    }
  }

  /** Whether applying the definition would change nothing. Each process of an operator installs its kinds. */
  #isInstalled({ metadata, spec }: NewCrd): boolean {
    const key = { resource: kindId(CustomResourceDefinition), namespace: "", name: metadata.name };
    const stored = this.#store.get(key)?.object["spec"];
    // Both consist of JSON only.
    return (
      isJsonObject(stored) && deepEqual(applyMergePatch(stored as JsonObject, spec as unknown as JsonValue), stored)
    );
  }

  /** Creates an object, or merges the fields into the existing one. */
  async apply<K extends Kind>(kind: K, fields: ObjectFields<K>): Promise<ObjectOf<K>> {
    await this.#installed;
    return this.#objects.apply(kind, fields);
  }

  /** Creates an object. */
  async create<K extends Kind>(kind: K, fields: ObjectFields<K>): Promise<ObjectOf<K>> {
    await this.#installed;
    return this.#objects.create(kind, fields);
  }

  /** Returns the current object; undefined if it does not exist. */
  get<K extends Kind>(kind: K, name: string, namespace?: string): Promise<ObjectOf<K> | undefined> {
    return this.#objects.get(kind, name, namespace);
  }

  /** Lists all objects of a kind, or those of one namespace. */
  list<K extends Kind>(kind: K, namespace?: string): Promise<readonly ObjectOf<K>[]> {
    return this.#objects.list(kind, namespace);
  }

  /** Applies a merge patch to an object. */
  patch<K extends Kind>(kind: K, name: string, patch: MergePatch, namespace?: string): Promise<ObjectOf<K>> {
    return this.#objects.patch(kind, name, patch, namespace);
  }

  /** Applies a merge patch to the status of an object. */
  patchStatus<K extends Kind>(kind: K, name: string, status: MergePatch, namespace?: string): Promise<ObjectOf<K>> {
    return this.#objects.patchStatus(kind, name, status, namespace);
  }

  /** Requests the deletion of an object. Finalizers may delay it; see `untilDeleted`. */
  delete(kind: Kind, name: string, namespace?: string): Promise<void> {
    return this.#objects.delete(kind, name, namespace);
  }

  /** Waits until there are no more requests and writes. Does not advance the clock. Throws failures of runnables. */
  async untilIdle(): Promise<void> {
    let quiet = 0;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const [requests, revision] = [this.faults.requests.length, this.#store.revision];
      await untilIdle();
      for (const running of this.#running) running.check();
      quiet = requests === this.faults.requests.length && revision === this.#store.revision ? quiet + 1 : 0;
      if (quiet === QUIET_ROUNDS) return;
    }
    throw new Error(`the cluster does not become idle: ${this.#restless()}`);
  }

  /** Waits until the cluster is idle and returns the object. Throws if it does not exist. */
  async untilSettled<K extends Kind>(kind: K, name: string, namespace?: string): Promise<ObjectOf<K>> {
    await this.untilIdle();
    const object = await this.get(kind, name, namespace);
    if (object === undefined) throw new Error(`${kindId(kind)} ${name} does not exist after the cluster became idle`);
    return object;
  }

  /** Waits until the cluster is idle. Throws if the object still exists, with its finalizers. */
  async untilDeleted(kind: Kind, name: string, namespace?: string): Promise<void> {
    await this.untilIdle();
    const object = await this.get(kind, name, namespace);
    if (object === undefined) return;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    const why =
      deletionTimestamp === undefined
        ? "its deletion was not requested"
        : `waits for finalizers ${finalizers.join(", ")}`;
    throw new Error(`${kindId(kind)} ${name} still exists: ${why}`);
  }

  /** Number of write requests of runnables for this object, including its status. */
  writes(kind: Kind, name: string, namespace?: string): number {
    const path = objectPath(kind, name, namespace);
    return this.#writes.filter((write) => write.path === path || write.path.startsWith(`${path}/`)).length;
  }

  /** All requests of runnables. */
  requests(): readonly RecordedRequest[] {
    return [...this.faults.requests];
  }

  /** Returns every stored version of the object, oldest first. */
  history<K extends Kind>(kind: K, name: string, namespace: string = DEFAULT_NAMESPACE): readonly ObjectOf<K>[] {
    const key = { resource: kindId(kind), namespace: kind.scope === "Namespaced" ? namespace : "", name };
    return this.#store
      .history(key)
      .filter((event) => event.kind !== "deleted")
      .map((event) => event.record.object as unknown as ObjectOf<K>); // validated by the schema that the type comes from
  }

  /** Stops all runnables, then the server. Throws failures that were not thrown before. */
  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = await Promise.allSettled(this.#running.map((running) => running.stop()));
    this.#server.close();
    const failures = stopped.filter((result) => result.status === "rejected").map((result): unknown => result.reason);
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, "several runnables failed");
  }

  /**
   * Yields to the event loop on every hundredth request. All waits in a cluster are promises, so a hot loop would
   * otherwise block the test's timeout.
   */
  #breathing(fetch: Fetch): Fetch {
    return async (request) => {
      if (this.faults.requests.length % 100 === 99) await untilIdle();
      return fetch(request);
    };
  }

  #restless(): string {
    const latest = this.faults.requests.slice(-5).map((request) => `${request.method} ${request.path}`);
    if (latest.length === 0) return `revision ${this.#store.revision} and counting, without requests`;
    return `${this.faults.requests.length} requests, the latest: ${latest.join(", ")}`;
  }
}

/** Starts a cluster and installs the given kinds. */
export async function testCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const cluster = new TestCluster(options);
  for (const kind of options.kinds ?? []) await cluster.install(kind);
  return cluster;
}
