import { readFileSync } from "node:fs";
import { TransportError } from "@levelset/core";
import type { Clock, Fetch, JsonObject, Logger, Random } from "@levelset/core";
import { faultyFetch } from "@levelset/core/testing";
import type { FaultyFetch } from "@levelset/core/testing";
import { DEFAULT_ENTITIES, readKinds } from "@levelset/fleet";
import { readAdapterConfig } from "@levelset/fleet/server";
import type { Broker, BrokerConfig, StoreConfig } from "@levelset/fleet";
import type { StepAdapter } from "@levelset/fleet/adapter";
import { FleetClient } from "@levelset/fleet/client";
import type { WireResource } from "@levelset/fleet/client";
import adapters from "../../../../examples/06-fleet/fleet.ts";
import validation from "../../../../examples/06-fleet/validation.ts";
import { startStepAdapter, startTaskAdapter } from "../../../../packages/cli/src/fleet-server/start-adapter.ts";
import type { RunningAdapter } from "../../../../packages/cli/src/fleet-server/start-adapter.ts";
import { Fleet, FLEET_URL } from "../../../support/fleet/fleet.ts";
import type { FleetParts } from "../../../support/fleet/fleet.ts";
import { ROOT } from "../../../support/repository.ts";

/** Options of {@link FleetSystem}. */
export interface SystemOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly store: StoreConfig;
  readonly broker: BrokerConfig;
  /** Returns a broker that changes what the given one transports. Default: the same broker. */
  readonly through?: (broker: Broker) => Broker;
  /** Called with each request of an adapter to the API, and the response, before faults of the response. */
  readonly onExchange?: (adapterKey: string, request: Request, response: Response) => Promise<void>;
  /** The cluster of the adapters. */
  readonly cluster: Fetch;
  /** The implementation of the cluster validation. Default: YAML. */
  readonly validation?: "yaml" | "typescript";
  /** `ttlSecondsAfterFinished` of the validation Job in YAML. Default: none. */
  readonly jobTtlSeconds?: number;
}

/** A complete fleet: API, Sentinel, broker, store, and the adapters of the example, which the default kinds require. */
export class FleetSystem extends Fleet {
  /** The IDs of all clusters ever created here. */
  readonly declared = new Set<string>();
  /** Fault injection between adapters and other components, by adapter: `clusters/dns`. */
  readonly faults = new Map<string, FaultyFetch>();
  /** Adapters that cannot reach the cluster. */
  readonly cut = new Set<string>();
  readonly #options: SystemOptions;
  readonly #running = new Map<string, RunningAdapter>();

  private constructor(options: SystemOptions, parts: FleetParts) {
    super(parts);
    this.#options = options;
  }

  static async start(options: SystemOptions): Promise<FleetSystem> {
    const { clock, random, logger, store, broker } = options;
    const kinds = readKinds(DEFAULT_ENTITIES);
    const parts = await Fleet.openParts({ clock, random, logger, store, broker, kinds });
    const { through = (same) => same } = options;
    const system = new FleetSystem(options, { ...parts, broker: through(parts.broker) });
    await system.startSentinel();
    const isConfigured = options.validation !== "typescript";
    await Promise.all([
      isConfigured ? system.#startTask() : system.#startSteps(validation),
      ...adapters.map((adapter) => system.#startSteps(adapter)),
    ]);
    return system;
  }

  /** Creates a cluster. */
  async cluster(name: string, spec: JsonObject = {}): Promise<WireResource> {
    const { resource } = await this.clusters.create({ name, spec });
    this.declared.add(resource.id);
    return resource;
  }

  /** Creates a node pool of a cluster. */
  async pool(cluster: WireResource, name: string, spec: JsonObject = {}): Promise<WireResource> {
    const pools = this.client.collection({ kind: "NodePool", plural: "nodepools" }, cluster);
    return (await pools.create({ name, spec })).resource;
  }

  /** Returns the current state of a resource of any kind. */
  async get(id: string): Promise<WireResource> {
    return (await this.resources.get(id)).resource;
  }

  /** Returns all existing resources, by ID. */
  async all(): Promise<ReadonlyMap<string, WireResource>> {
    const found = new Map<string, WireResource>();
    for await (const resource of this.resources.list({ pageSize: 100 })) found.set(resource.id, resource);
    return found;
  }

  /** Starts an adapter that crashed or was stopped. */
  async restart(adapterKey: string): Promise<void> {
    const running = this.#running.get(adapterKey);
    if (running === undefined) throw new TypeError(`there is no adapter ${adapterKey}`);
    await running[Symbol.asyncDispose]();
    this.faults.get(adapterKey)?.restart();
    const adapter = [...adapters, validation].find((each) => adapterKeyOf(each) === adapterKey);
    const isTask = adapterKey === "clusters/validation" && this.#options.validation !== "typescript";
    if (isTask) await this.#startTask();
    else if (adapter !== undefined) await this.#startSteps(adapter);
  }

  /** Returns the connections of an adapter: API and cluster, both with the same faults. */
  #connections(adapterKey: string): { readonly api: Fetch; readonly fetch: Fetch } {
    const known = this.faults.get(adapterKey);
    const { cluster, clock, onExchange } = this.#options;
    const callApi: Fetch = async (request) => {
      if (onExchange === undefined) return this.fetch(request);
      const copy = request.clone();
      const response = await this.fetch(request);
      await onExchange(adapterKey, copy, response.clone());
      return response;
    };
    const both: Fetch = async (request) => {
      if (request.url.startsWith(FLEET_URL)) return callApi(request);
      if (this.cut.has(adapterKey)) throw new TransportError("cannot reach the cluster");
      return cluster(request);
    };
    const faults = known ?? faultyFetch(both, { clock });
    this.faults.set(adapterKey, faults);
    return { api: faults.fetch, fetch: faults.fetch };
  }

  async #startSteps(adapter: StepAdapter): Promise<void> {
    const { clock, random, logger } = this.#options;
    const adapterKey = adapterKeyOf(adapter);
    const { api, fetch } = this.#connections(adapterKey);
    const fleet = new FleetClient({ url: FLEET_URL, fetch: api, clock, random });
    const topic = `hyperfleet-${adapter.kind.plural}`;
    const at = { broker: this.broker, topic, subscription: adapter.name, fetch, random, fleet };
    this.#running.set(adapterKey, await startStepAdapter(adapter, at, { clock, logger }));
  }

  async #startTask(): Promise<void> {
    const { clock, random, logger, jobTtlSeconds } = this.#options;
    const ttl = jobTtlSeconds === undefined ? "" : `\n  ttlSecondsAfterFinished: ${jobTtlSeconds}`;
    const directory = `${ROOT}/examples/06-fleet/validation`;
    const config = readAdapterConfig({
      path: `${directory}/adapter-config.yaml`,
      taskPath: `${directory}/adapter-task-config.yaml`,
      env: {},
      cwd: ROOT,
      flags: { "clients.hyperfleet_api.base_url": { flag: "test", text: FLEET_URL } },
      defaults: {},
      readText: (path) => readFileSync(path, "utf8").replace("backoffLimit: 0", (line) => `${line}${ttl}`),
      now: () => clock.now(),
    });
    const { topic, subscription } = config;
    const adapterKey = {
      broker: this.broker,
      topic,
      subscription,
      random,
      ...this.#connections("clusters/validation"),
    };
    this.#running.set("clusters/validation", await startTaskAdapter(config, adapterKey, { clock, logger }));
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running.values()].map((each) => each[Symbol.asyncDispose]()));
    await super[Symbol.asyncDispose]();
  }
}

function adapterKeyOf({ kind, name }: StepAdapter): string {
  return `${kind.plural}/${name}`;
}
