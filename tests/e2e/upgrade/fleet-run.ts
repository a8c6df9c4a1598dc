import { silentLogger } from "@levelset/core";
import type { Clock, Fetch, Random } from "@levelset/core";
import { readKinds } from "@levelset/fleet";
import type { StoreConfig } from "@levelset/fleet";
import { startStepAdapter, startTaskAdapter } from "../../../packages/cli/src/fleet-server/start-adapter.ts";
import { Fleet, FLEET_URL } from "../../support/fleet/fleet.ts";
import { NETWORK, validationConfig } from "./adapters.ts";

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

/** A fleet with the recorded kinds, and its adapters once they are started. */
export class FleetRun extends Fleet {
  readonly #adapters: AsyncDisposable[] = [];

  static async start(options: FleetRunOptions): Promise<FleetRun> {
    return new FleetRun(await Fleet.openParts({ ...options, logger: silentLogger, kinds: KINDS }));
  }

  /** IDs of the resources for which the Sentinel sent a pulse, oldest first. */
  get pulsed(): readonly string[] {
    return this.pulses.map(({ id }) => id);
  }

  /** Starts the adapters on a cluster. */
  async startAdapters(cluster: Fetch): Promise<void> {
    const { random, ...world } = this.world;
    const config = validationConfig(FLEET_URL, world.clock);
    const reach = { broker: this.broker, fetch: cluster, random };
    const { topic, subscription } = config;
    const task = { ...reach, topic, subscription, api: this.fetch };
    this.#adapters.push(await startTaskAdapter(config, task, world));
    const steps = { ...reach, topic, subscription: NETWORK.name, fleet: this.client };
    this.#adapters.push(await startStepAdapter(NETWORK, steps, world));
  }

  /** Stops Sentinel and adapters; the API continues. */
  async stopWorkers(): Promise<void> {
    for (const adapter of this.#adapters.splice(0)) await adapter[Symbol.asyncDispose]();
    await this.stopSentinel();
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.stopWorkers();
    await super[Symbol.asyncDispose]();
  }
}
