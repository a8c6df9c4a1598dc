import { untilIdle, memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import type { MessageHandler } from "./broker.ts";
import { encodeCloudEvent } from "./cloud-event.ts";
import { Consumer } from "./consumer.ts";
import type { Delivery } from "./consumer.ts";

/** A delivery that records how it is settled. */
function deliver(id: string, ends: string[], lost: AbortSignal = new AbortController().signal): Delivery {
  return {
    body: encodeCloudEvent({ specversion: "1.0", id, source: "test", type: "test", partitionkey: id }),
    deliveries: 1,
    lost,
    recalled: lost,
    ack: async () => void ends.push(`${id} done`),
    nack: async () => void ends.push(`${id} back`),
  };
}

function consume(handler: MessageHandler, deadLetter: () => Promise<void> = async () => {}) {
  const { logger, lines } = memoryLogger();
  const [clock, random, settings] = [new VirtualClock(), seededRandom(1), { concurrency: 1, attemptsMax: 1 }];
  const base = { topic: "t", subscription: "s", clock, random, logger };
  return { consumer: new Consumer({ ...base, handler, settings, deadLetter }), lines };
}

test("a delivery that waits for a free handler when the consumer closes is returned unhandled", async () => {
  const ends: string[] = [];
  const gate = Promise.withResolvers<void>();
  const { consumer } = consume(() => gate.promise);
  void consumer.accept(deliver("1", ends));
  void consumer.accept(deliver("2", ends));
  await untilIdle();
  const closed = consumer.close();
  gate.resolve();
  await closed;
  expect(ends).toEqual(["1 done", "2 back"]);
});

test("a handler's signal aborts when its message is lost, and its error then counts as no failure", async () => {
  const [ends, deadLetters, lost]: [string[], string[], AbortController] = [[], [], new AbortController()];
  const handler: MessageHandler = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("cut short"))));
  const { consumer, lines } = consume(handler, async () => void deadLetters.push("letter"));
  void consumer.accept(deliver("1", ends, lost.signal));
  lost.abort();
  await untilIdle();
  expect([ends, deadLetters, lines]).toEqual([["1 back"], [], []]);
});

test("a message is returned if its dead letter cannot be stored", async () => {
  const ends: string[] = [];
  const { consumer, lines } = consume(
    () => Promise.reject(new Error("no")),
    () => Promise.reject(new Error("disk full")),
  );
  await consumer.accept(deliver("1", ends));
  expect(ends).toEqual(["1 back"]);
  expect(lines).toMatchObject([{ level: "warn", message: "message not settled", fields: { key: "1" } }]);
});
