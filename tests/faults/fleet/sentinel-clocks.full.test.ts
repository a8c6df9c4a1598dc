import { realClock, realRandom, silentLogger } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { Fleet, localCaller, MemoryBroker } from "@levelset/fleet/server";
import type { CloudEvent, PublishOptions, SentinelLimits } from "@levelset/fleet/server";
import { openStore, readKinds, Sentinel } from "@levelset/fleet";
import { defaultPulseRule } from "@levelset/fleet/internal";
import type { FleetKind, FleetStore, StoreConfig } from "@levelset/fleet";
import pg from "pg";
import { expect, test } from "vitest";
import { clientConfig } from "../../../packages/fleet/src/store/postgres/connection.ts";
import { POSTGRESQL } from "../../../tools/system/system-requirement.ts";
import { onServer } from "../../support/server-process.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { postgresConfig } from "../../support/fleet/postgres-config.ts";
import { PULSED_ENTITIES } from "./sentinel/pulsed-entities.ts";

const MINUTE = 60_000;
/** The timeout of waits: less than the clock difference. */
const WAIT = { timeout: 30_000, interval: 20 };
const KINDS = readKinds(PULSED_ENTITIES);

/** A broker that records pulses and delays them until a gate opens. */
class GatedBroker extends MemoryBroker {
  readonly #pulses: string[];
  readonly #gate: Promise<void>;

  constructor(world: ConstructorParameters<typeof MemoryBroker>[0], pulses: string[], gate: Promise<void>) {
    super(world);
    this.#pulses = pulses;
    this.#gate = gate;
  }

  override async publish(topic: string, event: CloudEvent, options?: PublishOptions): Promise<void> {
    this.#pulses.push(options?.key ?? "");
    await this.#gate;
    await super.publish(topic, event, options);
  }
}

/** A machine with a wrong wall clock. */
class Machine implements AsyncDisposable {
  readonly store: FleetStore;
  readonly fleet: Fleet;
  /** The IDs of the resources pulsed from here, in order. */
  readonly pulses: string[] = [];
  readonly #world: { readonly clock: Clock; readonly random: typeof realRandom; readonly logger: typeof silentLogger };
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  private constructor(store: FleetStore, clock: Clock) {
    this.#world = { clock, random: realRandom, logger: silentLogger };
    this.store = store;
    this.fleet = new Fleet({ ...this.#world, store, kinds: KINDS });
  }

  static async open(config: StoreConfig, aheadMs: number): Promise<Machine> {
    const clock: Clock = { ...realClock, now: () => realClock.now() + aheadMs };
    return new Machine(await openStore(config, { clock, random: realRandom, logger: silentLogger }), clock);
  }

  /** Starts a Sentinel here. Its messages are sent after `gate`. */
  pulse(limits: Partial<SentinelLimits> = {}, gate: Promise<void> = Promise.resolve()): void {
    const { signal } = this.#stop;
    const broker = new GatedBroker({ ...this.#world, signal }, this.pulses, gate);
    const rule = { ...defaultPulseRule("clusters"), topic: "pulses" };
    const sentinel = new Sentinel({ ...this.#world, store: this.store, broker, kinds: KINDS, rules: [rule], limits });
    this.#running = sentinel.run(signal);
  }

  async create(name: string): Promise<string> {
    const [kind] = KINDS.all;
    const declaration = { kind: kind as FleetKind, parent: undefined, name, spec: {}, labels: {}, references: {} };
    const done = await this.fleet.create(localCaller("test"), declaration);
    if (done.kind !== "done") throw new TypeError("it was sent once");
    return done.result.resource.id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.store.close();
  }
}

onServer("Sentinels on PostgreSQL with clocks two minutes apart", POSTGRESQL, () => {
  test("do not claim the work of another holder", async () => {
    await using server = await startPostgres();
    const config = postgresConfig(server.url);
    await using behind = await Machine.open(config, -MINUTE);
    await using ahead = await Machine.open(config, MINUTE);
    const gate = Promise.withResolvers<void>();
    using cleanup = new DisposableStack();
    cleanup.defer(() => gate.resolve()); // also when the test fails
    behind.pulse({ inFlightMax: 1 }, gate.promise); // it holds one at a time
    const held = await behind.create("held");
    await expect.poll(() => behind.pulses, WAIT).toEqual([held]);
    ahead.pulse();
    const free = await behind.create("free");
    await expect.poll(() => ahead.pulses, WAIT).toContain(free);
    // The oldest work is claimed first: it would have been included.
    expect(ahead.pulses).toEqual([free]);
    gate.resolve();
    await expect.poll(async () => (await ahead.store.workStatus(held))?.cause, WAIT).toBe("refresh");
    expect([...behind.pulses, ...ahead.pulses].filter((id) => id === held)).toEqual([held]);
  });

  test("pulse a resource created on a machine with a fast clock at once, and agree on its next due time", async () => {
    await using server = await startPostgres();
    const config = postgresConfig(server.url);
    await using behind = await Machine.open(config, -MINUTE);
    await using ahead = await Machine.open(config, MINUTE);
    behind.pulse();
    const ids = [await ahead.create("a"), await behind.create("b"), await ahead.create("c")];
    await expect.poll(() => behind.pulses.toSorted(), WAIT).toEqual(ids.toSorted());
    await expect
      .poll(
        async () => (await Promise.all(ids.map((id) => behind.store.workStatus(id)))).map((work) => work?.cause),
        WAIT,
      )
      .toEqual(["refresh", "refresh", "refresh"]);
    const client = new pg.Client(clientConfig(config));
    await client.connect();
    const { rows } = await client.query("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float AS now");
    await client.end();
    for (const id of ids) {
      const { resource } = await behind.fleet.get(localCaller("test"), { id });
      const { dueTime = 0, pulsedTime = 0 } = (await behind.store.workStatus(id)) ?? {};
      // The tolerance is less than the clock difference: all times come from the database.
      for (const time of [resource.createdTime, pulsedTime, dueTime]) {
        expect(Math.abs(time - rows[0].now)).toBeLessThan(MINUTE / 2);
      }
    }
  });
});
