import { atRest, memoryLogger, seededRandom, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import type { Handler } from "./broker.ts";
import { encodeEvent } from "./cloud-event.ts";
import { Consumer } from "./consumer.ts";
import type { Delivery } from "./consumer.ts";

/** A delivery that notes its end. */
function deliver(id: string, ends: string[], lost: AbortSignal = new AbortController().signal): Delivery {
  return {
    body: encodeEvent({ specversion: "1.0", id, source: "test", type: "test", partitionkey: id }),
    deliveries: 1,
    lost,
    recalled: lost,
    ack: async () => void ends.push(`${id} done`),
    giveBack: async () => void ends.push(`${id} back`),
  };
}

function consume(handler: Handler, bury: () => Promise<void> = async () => {}) {
  const { logger, lines } = memoryLogger();
  const [clock, random, settings] = [new VirtualClock(), seededRandom(1), { concurrency: 1, attemptsMax: 1 }];
  const base = { topic: "t", subscription: "s", clock, random, logger };
  return { consumer: new Consumer({ ...base, handler, settings, bury }), lines };
}

test("what waits for a free handler when the consumer closes goes back unhandled", async () => {
  const ends: string[] = [];
  const hold = Promise.withResolvers<void>();
  const { consumer } = consume(() => hold.promise);
  void consumer.accept(deliver("1", ends));
  void consumer.accept(deliver("2", ends));
  await atRest();
  const closed = consumer.close();
  hold.resolve();
  await closed;
  expect(ends).toEqual(["1 done", "2 back"]);
});

test("a handler hears that its message is lost, and what it throws then is no failure", async () => {
  const [ends, letters, lost]: [string[], string[], AbortController] = [[], [], new AbortController()];
  const handler: Handler = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("cut short"))));
  const { consumer, lines } = consume(handler, async () => void letters.push("letter"));
  void consumer.accept(deliver("1", ends, lost.signal));
  lost.abort();
  await atRest();
  expect([ends, letters, lines]).toEqual([["1 back"], [], []]);
});

test("a message whose dead letter cannot be kept is given back, not lost", async () => {
  const ends: string[] = [];
  const { consumer, lines } = consume(
    () => Promise.reject(new Error("no")),
    () => Promise.reject(new Error("disk full")),
  );
  await consumer.accept(deliver("1", ends));
  expect(ends).toEqual(["1 back"]);
  expect(lines).toMatchObject([{ level: "warn", message: "message not settled", fields: { key: "1" } }]);
});
