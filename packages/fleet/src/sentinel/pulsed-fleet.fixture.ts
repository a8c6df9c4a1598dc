import { seededRandom, memoryLogger, VirtualClock } from "@levelset/core/testing";
import type { LogLine, Random } from "@levelset/core";
import { MemoryBroker } from "../broker/index.ts";
import type { Broker, CloudEvent } from "../broker/index.ts";
import { readKinds, timeText } from "../resource/index.ts";
import type { FleetKind, FleetKinds, ReportedStatus, Resource } from "../resource/index.ts";
import { Fleet, localCaller } from "../service/index.ts";
import { openStore } from "../store/index.ts";
import type { FleetStore } from "../store/index.ts";
import { defaultPulseRule } from "./config/sentinel-config.ts";
import type { PulseRule } from "./decision/pulse-rule.ts";
import { Sentinel } from "./sentinel.ts";
import type { SentinelLimits, SentinelOptions } from "./sentinel.ts";

export const TOPIC = "pulses";

const ENTITIES = [
  { kind: "Cluster", plural: "clusters", required_adapters: ["dns", "validation"] },
  {
    kind: "NodePool",
    plural: "nodepools",
    parent_kind: "Cluster",
    on_parent_delete: "cascade",
    required_adapters: ["pool"],
  },
  { kind: "Note", plural: "notes" },
];

/** A rule with defaults. */
export function ruleWith(options: Partial<PulseRule> = {}): PulseRule {
  return { ...defaultPulseRule("clusters"), topic: TOPIC, ...options };
}

/** A received pulse. */
export interface ReceivedPulse {
  readonly time: number;
  readonly event: CloudEvent;
}

/** A Sentinel that runs until it is stopped or its fleet is closed. */
export interface RunningSentinel {
  readonly sentinel: Sentinel;
  /** Stops the Sentinel. Resolves when it has ended; the clock must advance meanwhile. */
  stop(): Promise<void>;
}

/** An in-memory fleet with a broker under a virtual clock. Tests start the Sentinels. */
export class PulsedFleet implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly random: Random = seededRandom(7);
  readonly lines: readonly LogLine[];
  readonly store: FleetStore;
  readonly broker: Broker;
  readonly kinds: FleetKinds = readKinds(ENTITIES);
  readonly fleet: Fleet;
  readonly arrivals: ReceivedPulse[] = [];
  readonly #logger;
  readonly #controllers: AbortController[] = [];

  private constructor(store: FleetStore, { logger, lines }: ReturnType<typeof memoryLogger>) {
    this.store = store;
    this.#logger = logger;
    this.lines = lines;
    const { clock, random, kinds } = this;
    this.broker = new MemoryBroker({ clock, random, logger, signal: new AbortController().signal });
    this.fleet = new Fleet({ store, kinds, clock, random, logger, limits: { ttlCacheMs: 0 } });
  }

  static async open(): Promise<PulsedFleet> {
    const log = memoryLogger();
    const world = { clock: new VirtualClock(), random: seededRandom(1), logger: log.logger };
    const fleet = new PulsedFleet(await openStore({ kind: "sqlite", path: ":memory:" }, world), log);
    await fleet.broker.subscribe(TOPIC, "test", async ({ event }) => {
      fleet.arrivals.push({ time: fleet.clock.now(), event });
    });
    return fleet;
  }

  /** Starts a Sentinel, by default for clusters and with the dependencies of this fleet. */
  start(
    options: Partial<Omit<SentinelOptions, "limits">> & { readonly limits?: Partial<SentinelLimits> } = {},
  ): RunningSentinel {
    const { store, broker, kinds, clock, random } = this;
    const world = { store, broker, kinds, clock, random, logger: this.#logger };
    const sentinel = new Sentinel({ ...world, rules: [ruleWith()], ...options });
    const controller = new AbortController();
    const done = sentinel.run(controller.signal);
    this.#controllers.push(controller);
    return {
      sentinel,
      stop: () => {
        controller.abort();
        return done;
      },
    };
  }

  /** Advances the clock. */
  async advance(ms: number): Promise<void> {
    for (let turn = 0; turn < 4; turn++) await this.clock.advance(0);
    await this.clock.advance(ms);
    for (let turn = 0; turn < 4; turn++) await this.clock.advance(0);
  }

  /** Returns the pulses since the last call: resource ID → count. */
  takePulses(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { event } of this.arrivals.splice(0)) {
      const id = String(event.partitionkey);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  async create(name: string, labels: Readonly<Record<string, string>> = {}, kind = "Cluster"): Promise<Resource> {
    const declaration = { kind: this.#kind(kind), parent: undefined, name, spec: {}, labels, references: {} };
    const done = await this.fleet.create(localCaller("r"), declaration);
    if (done.kind !== "done") throw new TypeError("unexpected duplicate request");
    return done.result.resource;
  }

  async patch(id: string, spec: Readonly<Record<string, number>>): Promise<void> {
    await this.fleet.patch(localCaller("r"), { id }, { spec });
  }

  async remove(id: string): Promise<void> {
    await this.fleet.delete(localCaller("r"), { id });
  }

  /** Reports for the current generation at the current time. */
  async report(
    id: string,
    adapter: string,
    available: ReportedStatus,
    health: ReportedStatus = available,
  ): Promise<void> {
    const { resource } = await this.fleet.get(localCaller("r"), { id });
    const conditions = [
      { type: "Available", status: available },
      { type: "Applied", status: available },
      { type: "Health", status: health },
    ];
    const body = {
      adapter,
      observed_generation: resource.generation,
      observed_time: timeText(this.clock.now()),
      conditions,
    };
    await this.fleet.report(localCaller("r"), { id }, body);
  }

  /** Reports Available=True for all adapters of a cluster. */
  async ready(id: string): Promise<void> {
    for (const adapter of ["dns", "validation"]) await this.report(id, adapter, "True");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const controller of this.#controllers) controller.abort();
    await this.advance(20);
    await this.broker.close();
    await this.store.close();
  }

  #kind(name: string): FleetKind {
    const kind = this.kinds.find(name);
    if (kind === undefined) throw new TypeError(`there is no kind ${name}`);
    return kind;
  }
}
