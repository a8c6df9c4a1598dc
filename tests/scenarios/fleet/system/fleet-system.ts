import { readFileSync } from "node:fs";
import { isAbortError, TransportError } from "@levelset/core";
import type { Clock, Fetch, JsonObject, Logger, Random } from "@levelset/core";
import { faultyFetch } from "@levelset/core/testing";
import type { FaultyFetch } from "@levelset/core/testing";
import {
  createFleetApi,
  DEFAULT_ENTITIES,
  openBroker,
  openStore,
  readAdapterConfig,
  readKinds,
  readSentinelConfig,
  Sentinel,
} from "@levelset/fleet";
import type { Broker, BrokerConfig, FleetApi, FleetKinds, FleetStore, StoreConfig } from "@levelset/fleet";
import type { StepAdapter } from "@levelset/fleet/adapter";
import { FleetClient } from "@levelset/fleet/client";
import type { FleetCollection, WireResource } from "@levelset/fleet/client";
import adapters from "../../../../examples/06-fleet/fleet.ts";
import validation from "../../../../examples/06-fleet/validation.ts";
import { startStepAdapter, startTaskAdapter } from "../../../../packages/cli/src/fleet-server/start-adapters.ts";
import type { RunningAdapter } from "../../../../packages/cli/src/fleet-server/start-adapters.ts";
import { ROOT } from "../../../support/repository.ts";

const API = "http://fleet.test";

/** Options of {@link FleetSystem}. */
export interface SystemOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly store: StoreConfig;
  readonly broker: BrokerConfig;
  /** The cluster of the adapters. */
  readonly cluster: Fetch;
  /** The implementation of the cluster validation. Default: YAML. */
  readonly validation?: "yaml" | "typescript";
  /** `ttlSecondsAfterFinished` of the validation Job in YAML. Default: none. */
  readonly jobTtlSeconds?: number;
}

/** A published pulse. */
export interface SentPulse {
  readonly time: number;
  readonly id: string;
}

/** A complete fleet: API, Sentinel, broker, store, and the adapters of the example, which the default kinds require. */
export class FleetSystem implements AsyncDisposable {
  readonly clusters: FleetCollection;
  readonly resources: FleetCollection;
  readonly client: FleetClient;
  /** The IDs of all clusters ever created here. */
  readonly declared = new Set<string>();
  /** All pulses so far. */
  readonly pulses: SentPulse[] = [];
  /** Fault injection between adapters and other components, by adapter: `clusters/dns`. */
  readonly faults = new Map<string, FaultyFetch>();
  /** Adapters that cannot reach the cluster. */
  readonly cut = new Set<string>();
  /** API responses so far: `PUT /clusters/ID/statuses 201`. */
  readonly responses: string[] = [];
  readonly #options: SystemOptions;
  readonly #kinds: FleetKinds;
  readonly #store: FleetStore;
  readonly #broker: Broker;
  readonly #api: FleetApi;
  readonly #running = new Map<string, RunningAdapter>();
  readonly #stop = new AbortController();
  readonly #sentinel: Promise<void>;

  private constructor(options: SystemOptions, store: FleetStore, broker: Broker) {
    this.#options = options;
    this.#store = store;
    this.#broker = broker;
    this.#kinds = readKinds(DEFAULT_ENTITIES);
    const { clock, random, logger } = options;
    const world = { clock, random, logger, store, kinds: this.#kinds };
    this.#api = createFleetApi({ ...world, host: "127.0.0.1", port: 0, version: "test" });
    this.client = new FleetClient({ url: API, fetch: this.#fetch, clock, random });
    this.clusters = this.client.collection({ kind: "Cluster", plural: "clusters" });
    this.resources = this.client.collection({ kind: "Resource", plural: "resources" });
    const rules = ["clusters", "nodepools"].map((type) => {
      return readSentinelConfig({ file: { resource_type: type }, env: {}, flags: {}, source: "store" }).rule;
    });
    this.#sentinel = new Sentinel({ ...world, broker, rules }).run(this.#stop.signal);
  }

  static async open(options: SystemOptions): Promise<FleetSystem> {
    const { clock, random, logger } = options;
    const world = { clock, random, logger };
    const store = await openStore(options.store, world);
    const broker = await openBroker(options.broker, { ...world, signal: new AbortController().signal });
    const system = new FleetSystem(options, store, broker);
    for (const topic of ["hyperfleet-clusters", "hyperfleet-nodepools"]) {
      await broker.subscribe(topic, "counted", async ({ event }) => {
        system.pulses.push({ time: clock.now(), id: String(event.partitionkey) });
      });
    }
    const isConfigured = options.validation !== "typescript";
    await Promise.all([
      isConfigured ? system.#startTask() : system.#startSteps(validation),
      ...adapters.map((adapter) => system.#startSteps(adapter)),
    ]);
    return system;
  }

  /** The API with recorded responses. */
  get #fetch(): Fetch {
    return async (request) => {
      const response = await this.#api.fetch(request);
      const path = new URL(request.url).pathname.split("/").slice(4).join("/");
      this.responses.push(`${request.method} /${path} ${response.status}`);
      return response;
    };
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
    const { cluster, clock } = this.#options;
    const both: Fetch = async (request) => {
      if (request.url.startsWith(API)) return this.#fetch(request);
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
    const fleet = new FleetClient({ url: API, fetch: api, clock, random });
    const topic = `hyperfleet-${adapter.kind.plural}`;
    const at = { broker: this.#broker, topic, subscription: adapter.name, fetch, random, fleet };
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
      flags: { "clients.hyperfleet_api.base_url": { flag: "test", text: API } },
      defaults: {},
      readText: (path) => readFileSync(path, "utf8").replace("backoffLimit: 0", (line) => `${line}${ttl}`),
      now: () => clock.now(),
    });
    const { topic, subscription } = config;
    const adapterKey = {
      broker: this.#broker,
      topic,
      subscription,
      random,
      ...this.#connections("clusters/validation"),
    };
    this.#running.set("clusters/validation", await startTaskAdapter(config, adapterKey, { clock, logger }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#running.values()].map((each) => each[Symbol.asyncDispose]()));
    await this.#sentinel.catch((error: unknown) => {
      if (!isAbortError(error)) throw error;
    });
    await this.#broker.close();
    await this.#api.close();
    await this.#store.close();
  }
}

function adapterKeyOf({ kind, name }: StepAdapter): string {
  return `${kind.plural}/${name}`;
}
