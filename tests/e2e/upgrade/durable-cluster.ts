import { createApiServer, SqliteStore } from "@levelset/apiserver";
import type { ApiServer } from "@levelset/apiserver";
import { crdOf, CustomResourceDefinition, silentLogger } from "@levelset/core";
import type { AnyCustomKind, Fetch, Runnable } from "@levelset/core";
import { untilIdle, faultyFetch, isWrite, seededRandom, VirtualClock } from "@levelset/core/testing";
import type { FaultyFetch, RecordedRequest } from "@levelset/core/testing";
import { Client } from "@levelset/operator";

/**
 * Number of rounds without a request or a write after which the cluster counts as idle, and the maximum number of
 * rounds.
 */
const QUIET_ROUNDS = 4;
const ROUNDS_MAX = 2_000;

/** Something that runs against a cluster. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * The equivalent of `levelset apiserver --data` in this process, under a virtual clock: server, controllers and data
 * file.
 */
export class DurableCluster implements AsyncDisposable {
  readonly clock: VirtualClock;
  /** Fetch of the test itself. */
  readonly fetch: Fetch;
  /** Faults between the server and the processes under test. */
  readonly faults: FaultyFetch;
  /** A client of the test. */
  readonly client: Client;
  readonly #server: ApiServer;
  readonly #store: SqliteStore;
  readonly #seed: number;
  readonly #running: Running[] = [];

  private constructor(store: SqliteStore, { now, seed }: { readonly now: number | undefined; readonly seed: number }) {
    this.#store = store;
    this.#seed = seed;
    this.clock = new VirtualClock(now);
    const random = seededRandom(seed);
    const controllers = { serviceAccounts: true, workloads: true };
    this.#server = createApiServer({ clock: this.clock, random, logger: silentLogger, store, controllers });
    this.fetch = this.#server.fetch;
    this.faults = faultyFetch(this.fetch, { clock: this.clock });
    this.client = new Client({ fetch: this.fetch, fieldManager: "upgrade-test" });
  }

  /** Opens a data file; a missing one is created. `now` is the time at which its clock starts. */
  static async open(path: string, options: { readonly now?: number; readonly seed?: number } = {}) {
    const store = await SqliteStore.open({ path });
    const cluster = new DurableCluster(store, { now: options.now, seed: options.seed ?? 1 });
    await cluster.rest();
    return cluster;
  }

  /** Declares kinds, as an operator does when it starts. */
  async install(kinds: readonly AnyCustomKind[]): Promise<void> {
    for (const kind of kinds) await this.client.apply(CustomResourceDefinition, crdOf(kind), { force: true });
    await this.rest();
  }

  /** Starts a process. Its kinds must be installed. */
  run(runnable: Runnable): Running {
    const stop = new AbortController();
    const random = seededRandom(this.#seed + 1_000 * (this.#running.length + 1));
    const { clock, faults } = this;
    const world = { fetch: faults.fetch, clock, random, logger: silentLogger, signal: stop.signal };
    const ended = runnable.start(world);
    const running = {
      stop: async () => {
        stop.abort();
        await this.rest();
        await ended;
      },
    };
    this.#running.push(running);
    return running;
  }

  /** Returns every write of the processes under test, without writes of leases. */
  writes(): readonly RecordedRequest[] {
    return this.faults.requests.filter((request) => isWrite(request) && !request.path.includes("/leases"));
  }

  /** Advances the clock and runs all due work. */
  async pass(ms: number): Promise<void> {
    await this.rest();
    await this.clock.advance(ms);
    await this.rest();
  }

  /** Waits until all due work is done. */
  async rest(): Promise<void> {
    let quiet = 0;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const [requests, revision] = [this.faults.requests.length, this.#store.revision];
      await untilIdle();
      quiet = requests === this.faults.requests.length && revision === this.#store.revision ? quiet + 1 : 0;
      if (quiet === QUIET_ROUNDS) return;
    }
    throw new Error("the cluster does not become idle");
  }

  /** Stops the processes under test. */
  async stopAll(): Promise<void> {
    for (const running of this.#running.splice(0)) await running.stop();
  }

  /** Stops everything, and checkpoints the data into one file. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopAll();
    this.#server.close();
  }
}
