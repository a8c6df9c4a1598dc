import { untilIdle, memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import type { MessageHandler } from "../broker.ts";
import type { CloudEvent } from "../cloud-event.ts";
import { BrokerUnavailableError } from "../broker-errors.ts";
import { MemoryBroker } from "./memory-broker.ts";
import { MemoryHub } from "./memory-hub.ts";

function event(id: string): CloudEvent {
  return { specversion: "1.0", id, source: "test", type: "test" };
}

function setUp(hub: MemoryHub = new MemoryHub()) {
  const [clock, { logger, lines }, controller] = [new VirtualClock(), memoryLogger(), new AbortController()];
  const broker = new MemoryBroker({ clock, random: seededRandom(1), logger, signal: controller.signal, hub });
  return { broker, clock, lines, controller };
}

describe("under a virtual clock", () => {
  test("retries back off exponentially up to the maximum, and the dead letter records the attempts", async () => {
    const { broker, clock, lines } = setUp();
    const tries: number[] = [];
    const start = clock.now();
    const handler: MessageHandler = async () => {
      tries.push(clock.now() - start);
      throw new Error("down");
    };
    const backoff = { firstMs: 1_000, maxMs: 3_000 };
    await broker.subscribe("t", "s", handler, { attemptsMax: 4, backoff });
    await broker.publish("t", event("1"), { key: "k" });
    await clock.advance(60_000);
    const delays = tries.map((at, index) => at - (tries[index - 1] ?? 0));
    const expected = [0, 1_000, 2_000, 3_000];
    // Jitter is one fifth.
    const isNear = delays.map((delay, index) => Math.abs(delay - (expected[index] ?? 0)) <= (expected[index] ?? 0) / 5);
    expect(isNear).toEqual([true, true, true, true]);
    expect(await broker.deadLetters("t", "s").list()).toMatchObject([{ reason: "exhausted", attempts: 4, key: "k" }]);
    expect(lines.map(({ message }) => message)).toEqual([...Array(3).fill("message failed"), "message dead-lettered"]);
  });

  test("two runs with one seed are identical", async () => {
    const run = async (): Promise<readonly string[]> => {
      const { broker, clock } = setUp();
      const handled: string[] = [];
      for (const name of ["a", "b"]) {
        const handler: MessageHandler = async (message) => {
          handled.push(`${name} ${message.event.id} ${message.attempt} ${clock.now()}`);
          await clock.sleep(10);
          if (Number(message.event.id) % 3 === message.attempt) throw new Error("again");
        };
        await broker.subscribe("t", "s", handler, { concurrency: 2 });
      }
      for (let number = 0; number < 30; number++)
        await broker.publish("t", event(`${number}`), { key: `${number % 5}` });
      await clock.advance(60_000);
      return handled;
    };
    expect(await run()).toEqual(await run());
  });

  test("a message that was delivered too often without being settled is dead-lettered", async () => {
    const hub = new MemoryHub();
    const hang: MessageHandler = (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    for (let round = 0; round < 3; round++) {
      const { broker, clock } = setUp(hub);
      await broker.subscribe("t", "s", hang, { deliveriesMax: 3, closeGraceMs: 10 });
      if (round === 0) await broker.publish("t", event("1"));
      await untilIdle();
      const closed = broker.close();
      await clock.advance(10);
      await closed;
    }
    const { broker } = setUp(hub);
    await broker.subscribe("t", "s", hang, { deliveriesMax: 3 });
    await untilIdle();
    expect(await broker.deadLetters("t", "s").list()).toMatchObject([{ reason: "undeliverable", attempts: 0 }]);
  });

  test("a handler that ignores its abort does not prevent its broker from closing", async () => {
    const { broker, clock, lines } = setUp();
    await broker.subscribe("t", "s", () => new Promise(() => {}), { closeGraceMs: 1_000 });
    await broker.publish("t", event("1"));
    await untilIdle();
    const closed = broker.close();
    await clock.advance(2_000);
    await closed;
    expect(lines).toMatchObject([{ message: "handlers did not end after abort", fields: { held: 1 } }]);
  });

  test("closing ends a retry delay, and the message is retained", async () => {
    const hub = new MemoryHub();
    const { broker } = setUp(hub);
    await broker.subscribe("t", "s", () => Promise.reject(new Error("down")));
    await broker.publish("t", event("1"));
    await untilIdle();
    await broker.close();
    expect(hub.find("t", "s")?.waiting).toBe(1);
  });
});

test("the stop signal closes the broker", async () => {
  const { broker, controller } = setUp();
  controller.abort();
  expect(await broker.health()).toEqual({ kind: "down", reason: "closed" });
});

test("a full subscription refuses the message for all subscriptions of the topic", async () => {
  const hub = new MemoryHub({ waitingMax: 2 });
  const { broker } = setUp(hub);
  const slow = await broker.subscribe("t", "slow", async () => {});
  await slow.close();
  const handled: string[] = [];
  await broker.subscribe("t", "quick", async (message) => void handled.push(message.event.id));
  await broker.publish("t", event("1"));
  await broker.publish("t", event("2"));
  await expect(broker.publish("t", event("3"))).rejects.toThrow(BrokerUnavailableError);
  await untilIdle();
  expect(handled).toEqual(["1", "2"]);
});
