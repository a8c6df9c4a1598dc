import { isAbortError } from "@levelset/core";
import type { Clock, Fetch, Logger, Random } from "@levelset/core";
import { createFleetApi, openBroker, openStore, Sentinel } from "@levelset/fleet";
import { defaultPulseRule } from "@levelset/fleet/internal";
import type {
  Broker,
  BrokerConfig,
  CreateFleetApiOptions,
  FleetApi,
  FleetApiAddresses,
  FleetKinds,
  FleetStore,
  StoreConfig,
} from "@levelset/fleet";
import { FleetClient } from "@levelset/fleet/client";
import type { FleetCollection } from "@levelset/fleet/client";

/** The URL of the API for clients in this process. */
export const FLEET_URL = "http://fleet.test";

/** Kinds whose pulses the Sentinel of a test sends. */
const PULSED = ["clusters", "nodepools"];

/** A store in memory. */
export const MEMORY_STORE: StoreConfig = { kind: "sqlite", path: ":memory:" };

/** Options of {@link Fleet}. */
export interface FleetOptions {
  readonly store: StoreConfig;
  readonly kinds: FleetKinds;
  /** Default: in memory. */
  readonly broker?: BrokerConfig;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** More options of the API. */
  readonly api?: Partial<Pick<CreateFleetApiOptions, "port" | "auth" | "limits" | "health" | "metrics">>;
}

/** A published pulse. */
export interface SentPulse {
  readonly time: number;
  readonly id: string;
}

/** The open parts of a fleet. */
export interface FleetParts extends Omit<FleetOptions, "store" | "broker"> {
  readonly store: FleetStore;
  readonly broker: Broker;
}

/** A fleet in this process: store, broker and API with a client, and the Sentinel once it is started. */
export class Fleet implements AsyncDisposable {
  readonly client: FleetClient;
  readonly clusters: FleetCollection;
  /** Resources of every kind. */
  readonly resources: FleetCollection;
  readonly kinds: FleetKinds;
  readonly store: FleetStore;
  readonly broker: Broker;
  /** Pulses of the Sentinel so far. */
  readonly pulses: SentPulse[] = [];
  /** API responses so far: `PUT /clusters/ID/statuses 201`. */
  readonly responses: string[] = [];
  protected readonly world: Pick<FleetOptions, "clock" | "random" | "logger">;
  readonly #api: FleetApi;
  readonly #stop = new AbortController();
  #sentinel: Promise<void> = Promise.resolve();

  protected constructor({ store, broker, kinds, clock, random, logger, api }: FleetParts) {
    this.store = store;
    this.broker = broker;
    this.kinds = kinds;
    this.world = { clock, random, logger };
    this.#api = createFleetApi({ host: "127.0.0.1", port: 0, version: "test", ...this.world, store, kinds, ...api });
    this.client = new FleetClient({ url: FLEET_URL, fetch: this.fetch, clock, random });
    this.clusters = this.client.collection({ kind: "Cluster", plural: "clusters" });
    this.resources = this.client.collection({ kind: "Resource", plural: "resources" });
  }

  /** Opens the store and the broker. */
  protected static async openParts(options: FleetOptions): Promise<FleetParts> {
    const { clock, random, logger } = options;
    const world = { clock, random, logger };
    const store = await openStore(options.store, world);
    const signal = new AbortController().signal;
    const broker = await openBroker(options.broker ?? { kind: "memory" }, { ...world, signal });
    return { ...options, store, broker };
  }

  static async open(options: FleetOptions): Promise<Fleet> {
    return new Fleet(await Fleet.openParts(options));
  }

  /** The API without a socket. */
  readonly fetch: Fetch = async (request) => {
    const response = await this.#api.fetch(request);
    const path = new URL(request.url).pathname.split("/").slice(4).join("/");
    this.responses.push(`${request.method} /${path} ${response.status}`);
    return response;
  };

  /** Makes the API available on loopback too. */
  listen(): Promise<FleetApiAddresses> {
    return this.#api.listen();
  }

  /** Starts the Sentinel, and records its pulses. */
  async startSentinel(): Promise<void> {
    for (const plural of PULSED) {
      await this.broker.subscribe(`hyperfleet-${plural}`, "recorded", async ({ event }) => {
        this.pulses.push({ time: this.world.clock.now(), id: String(event.partitionkey) });
      });
    }
    const rules = PULSED.map((plural) => defaultPulseRule(plural));
    const { store, broker, kinds } = this;
    this.#sentinel = new Sentinel({ ...this.world, store, broker, kinds, rules }).run(this.#stop.signal);
  }

  /** Stops the Sentinel; the API continues. */
  async stopSentinel(): Promise<void> {
    this.#stop.abort();
    await this.#sentinel.catch((error: unknown) => {
      if (!isAbortError(error)) throw error;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopSentinel();
    await this.broker.close();
    await this.#api.close();
    await this.store.close();
  }
}
