import { describe, expect, test } from "vitest";
import { BrokerUnavailableError } from "../broker/index.ts";
import type { Broker, PublishOptions } from "../broker/index.ts";
import { StoreUnavailableError } from "../store/index.ts";
import type { FleetStore } from "../store/index.ts";
import { PulsedFleet } from "./pulsed-fleet.fixture.ts";

const SECOND = 1_000;
const LEASE = 15 * SECOND;

type Call = () => Promise<unknown>;

/** Returns a proxy that wraps each asynchronous call of the target with `intercept`. */
function wrapped<T extends object>(
  target: T,
  intercept: (method: string, call: Call, args: readonly unknown[]) => Promise<unknown>,
): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name, object);
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]): unknown => {
        const call = (): unknown => Reflect.apply(value, object, args);
        return name === "onCommit" || name === "now" ? call() : intercept(String(name), async () => call(), args);
      };
    },
  });
}

/** Returns the broker with another publish function. */
function publishing(broker: Broker, publish: (call: Call, options: PublishOptions) => Promise<unknown>): Broker {
  return wrapped(broker, (method, call, args) => {
    return method === "publish" ? publish(call, args[2] ?? {}) : call();
  });
}

/** A process that can be killed: from then on its calls have no effect and never return. */
class CrashableSentinel {
  isDead = false;
  readonly store: FleetStore;
  readonly broker: Broker;

  constructor(world: PulsedFleet, onPublished: (self: CrashableSentinel) => void = () => {}) {
    const never = (): Promise<never> => new Promise(() => {});
    const living = async (method: string, call: Call): Promise<unknown> => {
      if (this.isDead) return never();
      const result = await call();
      if (method === "publish") onPublished(this);
      return this.isDead ? never() : result;
    };
    this.store = wrapped(world.store, living);
    this.broker = wrapped(world.broker, living);
  }
}

describe("several replicas", () => {
  test("share the work: no resource is claimed twice", async () => {
    await using world = await PulsedFleet.open();
    const limits = { inFlightMax: 8 };
    const replicas = [1, 2, 3].map(() => world.start({ limits }));
    await world.advance(SECOND);
    const created = await Promise.all(Array.from({ length: 100 }, (_, number) => world.create(`c-${number}`)));
    await world.advance(5 * SECOND);
    expect(world.takePulses()).toEqual(new Map(created.map(({ id }) => [id, 1])));
    for (const { id } of created) await world.patch(id, { size: 1 });
    await world.advance(5 * SECOND);
    expect(world.takePulses()).toEqual(new Map(created.map(({ id }) => [id, 1])));
    const bodies = await Promise.all(replicas.map(({ sentinel }) => sentinel.metrics.render()));
    const claims = bodies.map(({ body }) => Number(/claims_total\{[^}]*cause="create"\} (\d+)/.exec(body)?.[1] ?? 0));
    expect(claims.every((count) => count > 0)).toBe(true);
    expect(claims.reduce((sum, count) => sum + count, 0)).toBe(100);
  });

  test("take over the claims of a killed one within the lease", async () => {
    await using world = await PulsedFleet.open();
    const dead = new CrashableSentinel(world);
    const broker = publishing(dead.broker, async () => {
      // Killed while it publishes: the message is not sent.
      dead.isDead = true;
      return new Promise(() => {});
    });
    const { store } = dead;
    world.start({ store, broker });
    await world.advance(SECOND);
    const { id } = await world.create("c-1");
    await world.advance(SECOND);
    expect(dead.isDead).toBe(true);
    world.start();
    await world.advance(LEASE - 2 * SECOND);
    expect(world.takePulses()).toEqual(new Map());
    await world.advance(2 * SECOND);
    expect(world.takePulses()).toEqual(new Map([[id, 1]]));
  });

  test("resend pulses that a killed one had sent and not completed: at least once", async () => {
    await using world = await PulsedFleet.open();
    const { store, broker } = new CrashableSentinel(world, (self) => (self.isDead = true));
    world.start({ store, broker });
    await world.advance(SECOND);
    const { id } = await world.create("c-1");
    await world.advance(SECOND);
    expect(world.takePulses()).toEqual(new Map([[id, 1]]));
    world.start();
    await world.advance(LEASE);
    expect(world.takePulses()).toEqual(new Map([[id, 1]]));
  });
});

test("a change during the pulse of its resource is sent right after", async () => {
  await using world = await PulsedFleet.open();
  const broker = publishing(world.broker, async (call) => {
    await world.clock.sleep(200);
    await call();
  });
  world.start({ broker });
  await world.advance(10 * SECOND);
  const { id } = await world.create("c-1");
  await world.advance(100);
  await world.patch(id, { size: 1 });
  await world.advance(350);
  expect(world.arrivals.map(({ event }) => event.data)).toMatchObject([{ generation: 1 }, { generation: 2 }]);
});

describe("a broker that rejects a message", () => {
  test("gets the other messages, and the rejected one again when the lease expires", async () => {
    await using world = await PulsedFleet.open();
    let isRefused = true;
    const failing = await world.create("c-1");
    const other = await world.create("c-2");
    const broker = publishing(world.broker, async (call, { key }) => {
      if (key === failing.id && isRefused) throw new BrokerUnavailableError("not now");
      await call();
    });
    const { sentinel } = world.start({ broker });
    await world.advance(2 * SECOND);
    expect(world.takePulses()).toEqual(new Map([[other.id, 1]]));
    const { body } = await sentinel.metrics.render();
    expect(body).toMatch(/broker_errors_total\{.*error_type="publish_error"\} 1\n/);
    const warnings = world.lines.filter(({ level }) => level === "warn");
    expect(warnings).toMatchObject([{ fields: { resource: failing.id, err: "not now" } }]);
    isRefused = false;
    await world.advance(LEASE);
    expect(world.takePulses().get(failing.id)).toBe(1);
  });

  test("is not called in a busy loop while it is unavailable", async () => {
    await using world = await PulsedFleet.open();
    let tries = 0;
    const broker = publishing(world.broker, async () => {
      tries++;
      throw new BrokerUnavailableError("away");
    });
    for (let number = 0; number < 10; number++) await world.create(`c-${number}`);
    world.start({ broker });
    await world.advance(60 * SECOND);
    expect(tries).toBeGreaterThanOrEqual(30);
    expect(tries).toBeLessThanOrEqual(50);
  });

  test("does not get all due messages one by one while it rejects every one", async () => {
    await using world = await PulsedFleet.open();
    let tries = 0;
    const broker = publishing(world.broker, async () => {
      tries++;
      throw new BrokerUnavailableError("away");
    });
    for (let number = 0; number < 200; number++) await world.create(`c-${number}`);
    world.start({ broker, limits: { inFlightMax: 10 } });
    await world.advance(2 * SECOND);
    expect(tries).toBeGreaterThanOrEqual(10);
    expect(tries).toBeLessThanOrEqual(80);
  });

  test("is abandoned after the timeout, before the lease expires", async () => {
    await using world = await PulsedFleet.open();
    let signal: AbortSignal | undefined;
    const broker = publishing(world.broker, (_, options) => {
      signal = options.signal;
      return new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new BrokerUnavailableError("given up")));
      });
    });
    await world.create("c-1");
    world.start({ broker });
    await world.advance(9 * SECOND);
    expect(signal?.aborted).toBe(false);
    await world.advance(2 * SECOND);
    expect(signal?.aborted).toBe(true);
  });
});

test("stopping finishes the work in progress and writes its completions", async () => {
  await using world = await PulsedFleet.open();
  const broker = publishing(world.broker, async (call) => {
    await world.clock.sleep(2 * SECOND);
    await call();
  });
  const { id } = await world.create("c-1");
  const running = world.start({ broker });
  await world.advance(SECOND);
  const stopped = running.stop();
  await world.advance(3 * SECOND);
  await stopped;
  expect(world.takePulses()).toEqual(new Map([[id, 1]]));
  // No other Sentinel finds it due before its next deadline.
  world.start();
  await world.advance(5 * SECOND);
  expect(world.takePulses()).toEqual(new Map());
});

describe("whichever call fails, before or after it took effect, every change is pulsed", () => {
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
            throw method === "publish" ? new BrokerUnavailableError("cut") : new StoreUnavailableError("cut");
          };
          const store = wrapped(world.store, broken);
          const broker = wrapped(world.broker, broken);
          const early = await world.create("c-1");
          world.start({ store, broker, limits: { sweepGapMs: SECOND } });
          await world.advance(100);
          const late = await world.create("c-2");
          await world.patch(early.id, { size: 1 });
          await world.advance(LEASE + 5 * SECOND);
          const generations = world.arrivals.map(({ event }) => event.data);
          expect(generations, `call ${at}`).toContainEqual(expect.objectContaining({ id: early.id, generation: 2 }));
          expect(generations, `call ${at}`).toContainEqual(expect.objectContaining({ id: late.id, generation: 1 }));
          const plans = await world.store.listPlans(["Cluster"], undefined, 10);
          expect(plans.map(({ dueTime }) => dueTime !== undefined)).toEqual([true, true]);
          expect(calls, "the loop reaches further than the calls do").toBeGreaterThan(at);
        }
      },
      20_000,
    );
  }
});
