import { isAbortError, silentLogger } from "@levelset/core";
import type { Clock, Fetch, Random } from "@levelset/core";
import { createFleetApi, openBroker, openStore, readKinds, readSentinelConfig, Sentinel } from "@levelset/fleet";
import type { Broker, FleetApi, FleetStore, StoreConfig } from "@levelset/fleet";
import { FleetClient } from "@levelset/fleet/client";
import type { FleetCollection } from "@levelset/fleet/client";
import { startStepAdapter, startTaskAdapter } from "../../packages/cli/src/fleet-server/start-adapters.ts";
import { NETWORK, validationConfig } from "./adapters.ts";

const API = "http://fleet.test";

/** The kinds of the recorded fleet. */
export const KINDS = readKinds([
  {
    kind: "Cluster",
    plural: "clusters",
    required_adapters: ["validation", "network"],
    references: [{ ref_type: "channel", target_kind: "Channel", min: 0, max: 1 }],
  },
  {
    kind: "NodePool",
    plural: "nodepools",
    parent_kind: "Cluster",
    on_parent_delete: "cascade",
    required_adapters: ["pool"],
  },
  { kind: "Channel", plural: "channels" },
]);

/** Store and dependencies of a fleet. */
export interface FleetRunOptions {
  readonly store: StoreConfig;
  readonly clock: Clock;
  readonly random: Random;
}

/** A fleet in this process: its API with a client, and the Sentinel and the adapters once they are started. */
export class FleetRun implements AsyncDisposable {
  readonly client: FleetClient;
  readonly clusters: FleetCollection;
  /** Resources of every kind. */
  readonly resources: FleetCollection;
  /** IDs of the resources for which the Sentinel sent a pulse, oldest first. */
  readonly pulsed: string[] = [];
  readonly #options: FleetRunOptions;
  readonly #store: FleetStore;
  readonly #broker: Broker;
  readonly #api: FleetApi;
  readonly #stop = new AbortController();
  readonly #running: AsyncDisposable[] = [];
  #sentinel: Promise<void> = Promise.resolve();

  private constructor(options: FleetRunOptions, store: FleetStore, broker: Broker) {
    this.#options = options;
    this.#store = store;
    this.#broker = broker;
    const { clock, random } = options;
    const world = { clock, random, logger: silentLogger };
    this.#api = createFleetApi({ ...world, store, kinds: KINDS, host: "127.0.0.1", port: 0, version: "test" });
    this.client = new FleetClient({ url: API, fetch: this.#api.fetch, clock, random });
    this.clusters = this.client.collection({ kind: "Cluster", plural: "clusters" });
    this.resources = this.client.collection({ kind: "Resource", plural: "resources" });
  }

  static async open(options: FleetRunOptions): Promise<FleetRun> {
    const world = { clock: options.clock, random: options.random, logger: silentLogger };
    const store = await openStore(options.store, world);
    const broker = await openBroker({ kind: "memory" }, { ...world, signal: new AbortController().signal });
    return new FleetRun(options, store, broker);
  }

  /** Starts the Sentinel. */
  async startSentinel(): Promise<void> {
    const { clock, random } = this.#options;
    for (const topic of ["hyperfleet-clusters", "hyperfleet-nodepools"]) {
      await this.#broker.subscribe(topic, "recorded", async ({ event }) => {
        this.pulsed.push(String(event.partitionkey));
      });
    }
    const rules = ["clusters", "nodepools"].map((type) => {
      return readSentinelConfig({ file: { resource_type: type }, env: {}, flags: {}, source: "store" }).rule;
    });
    const world = { clock, random, logger: silentLogger };
    const sentinel = new Sentinel({ ...world, store: this.#store, broker: this.#broker, kinds: KINDS, rules });
    this.#sentinel = sentinel.run(this.#stop.signal);
  }

  /** Starts the adapters on a cluster. */
  async startAdapters(cluster: Fetch): Promise<void> {
    const { clock, random } = this.#options;
    const world = { clock, logger: silentLogger };
    const config = validationConfig(API, clock);
    const reach = { broker: this.#broker, fetch: cluster, random };
    const { topic, subscription } = config;
    const task = { ...reach, topic, subscription, api: this.#api.fetch };
    this.#running.push(await startTaskAdapter(config, task, world));
    const steps = { ...reach, topic, subscription: NETWORK.name, fleet: this.client };
    this.#running.push(await startStepAdapter(NETWORK, steps, world));
  }

  /** Stops Sentinel and adapters; the API continues. */
  async stopWorkers(): Promise<void> {
    this.#stop.abort();
    for (const running of this.#running.splice(0)) await running[Symbol.asyncDispose]();
    await this.#sentinel.catch((error: unknown) => {
      if (!isAbortError(error)) throw error;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopWorkers();
    await this.#broker.close();
    await this.#api.close();
    await this.#store.close();
  }
}
