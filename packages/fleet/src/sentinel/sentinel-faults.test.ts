import { describe, expect, test } from "vitest";
import { BrokerUnavailable } from "../broker/index.ts";
import type { Broker, PublishOptions } from "../broker/index.ts";
import { StoreUnavailable } from "../store/index.ts";
import type { FleetStore } from "../store/index.ts";
import { PulsedFleet } from "./pulsed-fleet.fixture.ts";

const SECOND = 1_000;
const LEASE = 15 * SECOND;

type Call = () => Promise<unknown>;

/** The same object, with `around` around each of its calls that answers with a promise. */
function wrapped<T extends object>(
  target: T,
  around: (method: string, call: Call, args: readonly unknown[]) => Promise<unknown>,
): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name, object);
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]): unknown => {
        const call = (): unknown => Reflect.apply(value, object, args);
        return name === "onCommit" || name === "now" ? call() : around(String(name), async () => call(), args);
      };
    },
  });
}

/** The same broker, except for how it publishes. */
function publishing(broker: Broker, publish: (call: Call, options: PublishOptions) => Promise<unknown>): Broker {
  return wrapped(broker, (method, call, args) => {
    return method === "publish" ? publish(call, args[2] ?? {}) : call();
  });
}

/** A process that can be killed: from then on it gets no answers, and nothing that it asks for happens. */
class Mortal {
  isDead = false;
  readonly store: FleetStore;
  readonly broker: Broker;

  constructor(world: PulsedFleet, onPublished: (self: Mortal) => void = () => {}) {
    const never = (): Promise<never> => new Promise(() => {});
    const living = async (method: string, call: Call): Promise<unknown> => {
      if (this.isDead) return never();
      const answer = await call();
      if (method === "publish") onPublished(this);
      return this.isDead ? never() : answer;
    };
    this.store = wrapped(world.store, living);
    this.broker = wrapped(world.broker, living);
  }
}

describe("several replicas", () => {
  test("share the work: nothing is claimed by two", async () => {
    await using world = await PulsedFleet.open();
    const limits = { inFlightMax: 8 };
    const replicas = [1, 2, 3].map(() => world.start({ limits }));
    await world.pass(SECOND);
    const created = await Promise.all(Array.from({ length: 100 }, (_, number) => world.create(`c-${number}`)));
    await world.pass(5 * SECOND);
    expect(world.taken()).toEqual(new Map(created.map(({ id }) => [id, 1])));
    for (const { id } of created) await world.patch(id, { size: 1 });
    await world.pass(5 * SECOND);
    expect(world.taken()).toEqual(new Map(created.map(({ id }) => [id, 1])));
    const bodies = await Promise.all(replicas.map(({ sentinel }) => sentinel.metrics.render()));
    const claims = bodies.map(({ body }) => Number(/claims_total\{[^}]*cause="create"\} (\d+)/.exec(body)?.[1] ?? 0));
    expect(claims.every((count) => count > 0)).toBe(true);
    expect(claims.reduce((sum, count) => sum + count, 0)).toBe(100);
  });

  test("take over what a killed one held, within the lease", async () => {
    await using world = await PulsedFleet.open();
    const dead = new Mortal(world);
    const broker = publishing(dead.broker, async () => {
      // Killed while it publishes: the message does not get out.
      dead.isDead = true;
      return new Promise(() => {});
    });
    const { store } = dead;
    world.start({ store, broker });
    await world.pass(SECOND);
    const { id } = await world.create("c-1");
    await world.pass(SECOND);
    expect(dead.isDead).toBe(true);
    world.start();
    await world.pass(LEASE - 2 * SECOND);
    expect(world.taken()).toEqual(new Map());
    await world.pass(2 * SECOND);
    expect(world.taken()).toEqual(new Map([[id, 1]]));
  });

  test("send again what a killed one had sent and not completed: at least once, never less", async () => {
    await using world = await PulsedFleet.open();
    const { store, broker } = new Mortal(world, (self) => (self.isDead = true));
    world.start({ store, broker });
    await world.pass(SECOND);
    const { id } = await world.create("c-1");
    await world.pass(SECOND);
    expect(world.taken()).toEqual(new Map([[id, 1]]));
    world.start();
    await world.pass(LEASE);
    expect(world.taken()).toEqual(new Map([[id, 1]]));
  });
});

test("a change that comes while its resource is being pulsed is sent right after", async () => {
  await using world = await PulsedFleet.open();
  const broker = publishing(world.broker, async (call) => {
    await world.clock.sleep(200);
    await call();
  });
  world.start({ broker });
  await world.pass(10 * SECOND);
  const { id } = await world.create("c-1");
  await world.pass(100);
  await world.patch(id, { size: 1 });
  await world.pass(350);
  expect(world.arrivals.map(({ event }) => event.data)).toMatchObject([{ generation: 1 }, { generation: 2 }]);
});

describe("a broker that does not take a message", () => {
  test("scenario 17: is asked for the others, counted, and asked again when the lease is over", async () => {
    await using world = await PulsedFleet.open();
    let isRefused = true;
    const failing = await world.create("c-1");
    const other = await world.create("c-2");
    const broker = publishing(world.broker, async (call, { key }) => {
      if (key === failing.id && isRefused) throw new BrokerUnavailable("not now");
      await call();
    });
    const { sentinel } = world.start({ broker });
    await world.pass(2 * SECOND);
    expect(world.taken()).toEqual(new Map([[other.id, 1]]));
    const { body } = await sentinel.metrics.render();
    expect(body).toMatch(/broker_errors_total\{.*error_type="publish_error"\} 1\n/);
    const warnings = world.lines.filter(({ level }) => level === "warn");
    expect(warnings).toMatchObject([{ fields: { resource: failing.id, error: "not now" } }]);
    isRefused = false;
    await world.pass(LEASE);
    expect(world.taken().get(failing.id)).toBe(1);
  });

  test("is not asked without pause while it is away", async () => {
    await using world = await PulsedFleet.open();
    let tries = 0;
    const broker = publishing(world.broker, async () => {
      tries++;
      throw new BrokerUnavailable("away");
    });
    for (let number = 0; number < 10; number++) await world.create(`c-${number}`);
    world.start({ broker });
    await world.pass(60 * SECOND);
    expect(tries).toBeGreaterThanOrEqual(30);
    expect(tries).toBeLessThanOrEqual(50);
  });

  test("is not sent all that is due, one after the other, while it takes none of it", async () => {
    await using world = await PulsedFleet.open();
    let tries = 0;
    const broker = publishing(world.broker, async () => {
      tries++;
      throw new BrokerUnavailable("away");
    });
    for (let number = 0; number < 200; number++) await world.create(`c-${number}`);
    world.start({ broker, limits: { inFlightMax: 10 } });
    await world.pass(2 * SECOND);
    expect(tries).toBeGreaterThanOrEqual(10);
    expect(tries).toBeLessThanOrEqual(80);
  });

  test("is given up after the timeout, before the lease is over", async () => {
    await using world = await PulsedFleet.open();
    let signal: AbortSignal | undefined;
    const broker = publishing(world.broker, (_, options) => {
      signal = options.signal;
      return new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new BrokerUnavailable("given up")));
      });
    });
    await world.create("c-1");
    world.start({ broker });
    await world.pass(9 * SECOND);
    expect(signal?.aborted).toBe(false);
    await world.pass(2 * SECOND);
    expect(signal?.aborted).toBe(true);
  });
});

test("stopping finishes what is under way and tells the store", async () => {
  await using world = await PulsedFleet.open();
  const broker = publishing(world.broker, async (call) => {
    await world.clock.sleep(2 * SECOND);
    await call();
  });
  const { id } = await world.create("c-1");
  const running = world.start({ broker });
  await world.pass(SECOND);
  const stopped = running.stop();
  await world.pass(3 * SECOND);
  await stopped;
  expect(world.taken()).toEqual(new Map([[id, 1]]));
  // Nobody else finds it due before its next deadline.
  world.start();
  await world.pass(5 * SECOND);
  expect(world.taken()).toEqual(new Map());
});

describe("whichever call fails, and whether or not it had happened, every change is pulsed", () => {
  for (const isDone of [false, true]) {
    test(
      isDone ? "the answer is lost" : "the call is lost",
      async () => {
        for (let at = 1; at <= 20; at++) {
          await using world = await PulsedFleet.open();
          let calls = 0;
          const broken = async (method: string, call: Call): Promise<unknown> => {
            if (++calls !== at) return call();
            if (isDone) await call();
            throw method === "publish" ? new BrokerUnavailable("cut") : new StoreUnavailable("cut");
          };
          const store = wrapped(world.store, broken);
          const broker = wrapped(world.broker, broken);
          const early = await world.create("c-1");
          world.start({ store, broker, limits: { sweepGapMs: SECOND } });
          await world.pass(100);
          const late = await world.create("c-2");
          await world.patch(early.id, { size: 1 });
          await world.pass(LEASE + 5 * SECOND);
          const generations = world.arrivals.map(({ event }) => event.data);
          expect(generations, `call ${at}`).toContainEqual(expect.objectContaining({ id: early.id, generation: 2 }));
          expect(generations, `call ${at}`).toContainEqual(expect.objectContaining({ id: late.id, generation: 1 }));
          const plans = await world.store.planned(["Cluster"], undefined, 10);
          expect(plans.map(({ dueTime }) => dueTime !== undefined)).toEqual([true, true]);
          expect(calls, "the loop reaches further than the calls do").toBeGreaterThan(at);
        }
      },
      20_000,
    );
  }
});
