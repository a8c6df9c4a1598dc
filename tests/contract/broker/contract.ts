import { realClock } from "@levelset/core";
import {
  BrokerUnavailableError,
  encodeCloudEvent,
  InvalidEventError,
  parseCloudEvent,
  RejectedMessageError,
} from "@levelset/fleet/server";
import { traceContextOf } from "@levelset/fleet/internal";
import type { CloudEvent } from "@levelset/fleet/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import type { BrokerHarness } from "./harness.ts";
import { gate, HandlerRecorder, numberedEvent } from "./handler-recorder.ts";

const QUICK = { backoff: { firstMs: 5, maxMs: 20 }, attemptsMax: 3, closeGraceMs: 200 };

/** Returns the harness once its server has started. */
export type GetHarness = () => BrokerHarness;

let topics = 0;

/** Returns a topic that no other test uses. */
export function freshTopic(): string {
  return `topic-${++topics}`;
}

/** Contract tests of all brokers, run against one of them. */
export function describeBroker(name: string, start: () => Promise<BrokerHarness>): void {
  describe(name, () => {
    let harness: BrokerHarness | undefined;
    beforeAll(async () => {
      harness = await start();
    });
    afterAll(() => harness?.[Symbol.asyncDispose]());
    const started = (): BrokerHarness => {
      if (harness === undefined) throw new Error("the server did not start");
      return harness;
    };
    describeDelivery(started);
    describeOrder(started);
    describeFailure(started);
    describeDeadLetters(started);
    describeClosing(started);
    describeEdges(started);
  });
}

function describeDelivery(started: GetHarness): void {
  test("an event arrives with all its attributes, its key and its trace context", async () => {
    const [topic, recorder, broker] = [freshTopic(), new HandlerRecorder(), await started().open()];
    await broker.subscribe(topic, "all", recorder.handler());
    const event: CloudEvent = {
      ...numberedEvent(1),
      subject: "clusters/ä",
      time: "2026-01-02T03:04:05.678Z",
      dataschema: "https://example.com/schema",
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      tracestate: "vendor=1",
      anumber: -7,
      aboolean: false,
      data: { number: 1, generation: 9_007_199_254_740_993n, text: "\u0000 ü 😀", nested: [null, { deep: true }] },
    };
    await broker.publish(topic, event, { key: "clusters/a" });
    await recorder.until(() => recorder.ended.length === 1);
    const message = recorder.ended[0]?.message;
    expect(message).toEqual({
      topic,
      subscription: "all",
      event: { ...event, partitionkey: "clusters/a" },
      key: "clusters/a",
      attempt: 1,
    });
    expect(traceContextOf(event)).toEqual({ traceparent: event.traceparent, tracestate: "vendor=1" });
  });

  test("consumers of one subscription share its messages, and every subscription gets all messages", async () => {
    const [topic, shared, other] = [freshTopic(), new HandlerRecorder(), new HandlerRecorder()];
    const [first, second] = [await started().open(), await started().open()];
    await first.subscribe(topic, "shared", shared.handler());
    await second.subscribe(topic, "shared", shared.handler());
    await second.subscribe(topic, "other", other.handler());
    for (let number = 0; number < 40; number++)
      await first.publish(topic, numberedEvent(number), { key: `key-${number}` });
    await shared.until(() => shared.ended.length === 40);
    await other.until(() => other.ended.length === 40);
    const all = Array.from({ length: 40 }, (_, number) => number);
    expect(shared.started.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(all);
    expect(other.started.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(all);
  });

  test("a subscription retains its messages while it has no consumer", async () => {
    const [topic, recorder, broker] = [freshTopic(), new HandlerRecorder(), await started().open()];
    const subscription = await broker.subscribe(topic, "kept", recorder.handler());
    await subscription.close();
    for (let number = 0; number < 5; number++) await broker.publish(topic, numberedEvent(number), { key: "k" });
    expect(recorder.started).toEqual([]);
    await broker.subscribe(topic, "kept", recorder.handler());
    await recorder.until(() => recorder.ended.length === 5);
    expect(recorder.orders.get("k")).toEqual([0, 1, 2, 3, 4]);
  });

  test("the number of concurrent handlers is limited", async () => {
    const [topic, recorder, broker, blocked] = [freshTopic(), new HandlerRecorder(), await started().open(), gate()];
    await broker.subscribe(
      topic,
      "few",
      recorder.handler(() => blocked.opened),
      { concurrency: 3 },
    );
    for (let number = 0; number < 30; number++)
      await broker.publish(topic, numberedEvent(number), { key: `key-${number}` });
    await recorder.until(() => recorder.started.length === 3);
    blocked.open();
    await recorder.until(() => recorder.ended.length === 30);
    expect(recorder.peak).toBe(3);
  });
}

function describeOrder(started: GetHarness): void {
  test("1,000 messages of 50 keys over 3 consumers: each once, in order, and one of a key at a time", async () => {
    const [topic, recorder] = [freshTopic(), new HandlerRecorder()];
    const publisher = await started().open();
    const brokers = await Promise.all([1, 2, 3].map(() => started().open()));
    const work = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    for (const broker of brokers) await broker.subscribe(topic, "ordered", recorder.handler(work), { concurrency: 10 });
    // Publishes are not awaited: the order of the calls counts.
    await Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        publisher.publish(topic, numberedEvent(Math.floor(n / 50)), { key: `key-${n % 50}` }),
      ),
    );
    await recorder.until(() => recorder.ended.length === 1_000);
    expect(recorder.overlaps).toEqual([]);
    expect(recorder.started).toHaveLength(1_000);
    const inOrder = Array.from({ length: 20 }, (_, number) => number);
    expect(recorder.orders.size).toBe(50);
    for (const [key, order] of recorder.orders) expect([key, order]).toEqual([key, inOrder]);
  });

  test("a slow handler only delays its own key", async () => {
    const [topic, recorder, broker, blocked] = [freshTopic(), new HandlerRecorder(), await started().open(), gate()];
    await broker.subscribe(
      topic,
      "slow",
      recorder.handler(({ key, number }) => (key === "slow" && number === 0 ? blocked.opened : Promise.resolve())),
    );
    for (let number = 0; number < 3; number++) await broker.publish(topic, numberedEvent(number), { key: "slow" });
    for (let number = 0; number < 3; number++) await broker.publish(topic, numberedEvent(number), { key: "quick" });
    await recorder.until(() => recorder.ended.length === 3);
    expect(recorder.orders).toEqual(new Map([["quick", [0, 1, 2]]]));
    blocked.open();
    await recorder.until(() => recorder.ended.length === 6);
    expect(recorder.orders.get("slow")).toEqual([0, 1, 2]);
    expect(recorder.overlaps).toEqual([]);
  });
}

function describeFailure(started: GetHarness): void {
  test("a failed message is retried, and later messages of its key wait for it", async () => {
    const [topic, recorder, broker] = [freshTopic(), new HandlerRecorder(), await started().open()];
    const handler = recorder.handler(async ({ message, number }) => {
      if (number === 0 && message.attempt < 3) throw new Error("not yet");
    });
    await broker.subscribe(topic, "again", handler, QUICK);
    await broker.publish(topic, numberedEvent(0), { key: "k" });
    await broker.publish(topic, numberedEvent(1), { key: "k" });
    await recorder.until(() => recorder.ended.length === 2);
    const runs = recorder.started.map(({ message, number }) => [number, message.attempt]);
    expect(runs).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 1],
    ]);
    expect(await broker.deadLetters(topic, "again").list()).toEqual([]);
  });

  test("a handler that throws synchronously counts as failed", async () => {
    const [topic, broker] = [freshTopic(), await started().open()];
    const [attempts, done] = [{ count: 0 }, gate()];
    const subscription = await broker.subscribe(
      topic,
      "panic",
      () => {
        if (++attempts.count === 1) throw new TypeError("undefined is not a function");
        done.open();
        return Promise.resolve();
      },
      QUICK,
    );
    await broker.publish(topic, numberedEvent(0), { key: "k" });
    await done.opened;
    await subscription.close();
    expect(attempts.count).toBe(2);
  });
}

function describeDeadLetters(started: GetHarness): void {
  test("a message that always fails becomes a dead letter, and later messages of its key are handled", async () => {
    const [topic, recorder, broker] = [freshTopic(), new HandlerRecorder(), await started().open()];
    const poison = recorder.handler(async ({ number }) => {
      if (number === 0) throw new Error("no such\ncluster: ä");
    });
    await broker.subscribe(topic, "dead", poison, QUICK);
    const other = new HandlerRecorder();
    await broker.subscribe(topic, "other", other.handler());
    await broker.publish(topic, numberedEvent(0), { key: "k" });
    await broker.publish(topic, numberedEvent(1), { key: "k" });
    await recorder.until(() => recorder.ended.length === 1);
    const deadLetters = await broker.deadLetters(topic, "dead").list();
    expect(deadLetters).toMatchObject([{ reason: "exhausted", error: "no such\ncluster: ä", attempts: 3, key: "k" }]);
    expect(deadLetters.map(({ body }) => parseCloudEvent(body).id)).toEqual(["event-0"]);
    expect(await broker.deadLetters(topic, "other").list()).toEqual([]);
    await other.until(() => other.ended.length === 2);
    // Listing removes no dead letters.
    expect(await broker.deadLetters(topic, "dead").list()).toEqual(deadLetters);
  });

  test("selected or all dead letters are replayed to the same subscription only, in order", async () => {
    const [topic, broker] = [freshTopic(), await started().open()];
    const [recorder, other] = [new HandlerRecorder(), new HandlerRecorder()];
    const cure = { isFound: false };
    const handler = recorder.handler(async () => {
      if (!cure.isFound) throw new RejectedMessageError("of no use");
    });
    await broker.subscribe(topic, "dead", handler, QUICK);
    await broker.subscribe(topic, "other", other.handler());
    for (let number = 0; number < 5; number++) await broker.publish(topic, numberedEvent(number), { key: "k" });
    await recorder.until(() => recorder.started.length === 5);
    await other.until(() => other.ended.length === 5);
    const queue = broker.deadLetters(topic, "dead");
    await eventually("five dead letters are stored", async () => (await queue.list()).length === 5);
    const deadLetters = await queue.list();
    for (const deadLetter of deadLetters) expect(deadLetter).toMatchObject({ reason: "rejected", attempts: 1 });
    expect(await queue.list({ limit: 2 })).toEqual(deadLetters.slice(0, 2));
    cure.isFound = true;
    expect(await queue.discard([deadLetters[4]?.id ?? ""])).toBe(1);
    expect(await queue.replay([deadLetters[1]?.id ?? "", "no-such-letter"])).toBe(1);
    await recorder.until(() => recorder.ended.length === 1);
    expect(await queue.replay("all")).toBe(3);
    await recorder.until(() => recorder.ended.length === 4);
    expect(recorder.orders.get("k")).toEqual([1, 0, 2, 3]);
    expect(await queue.list()).toEqual([]);
    await broker.publish(topic, numberedEvent(9), { key: "k" });
    await other.until(() => other.ended.length === 6);
    expect(other.started.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 9]);
  });

  test("malformed messages become dead letters at the first delivery and block no other messages", async () => {
    const [topic, recorder, broker] = [freshTopic(), new HandlerRecorder(), await started().open()];
    await broker.subscribe(topic, "strict", recorder.handler(), QUICK);
    const bodies = ["not JSON", '{"specversion":"0.3"}', "[]", ""].map((text) => new TextEncoder().encode(text));
    for (const body of [...bodies, Uint8Array.of(0xff, 0xfe)]) await started().publishBytes(topic, body);
    await started().publishBytes(topic, encodeCloudEvent(numberedEvent(7)));
    await recorder.until(() => recorder.ended.length === 1);
    const queue = broker.deadLetters(topic, "strict");
    await eventually("five dead letters are stored", async () => (await queue.list()).length === 5);
    const deadLetters = await queue.list();
    expect(new Set(deadLetters.map(({ reason }) => reason))).toEqual(new Set(["malformed"]));
    expect(deadLetters.map(({ error }) => error)).toContain(
      'invalid CloudEvent: id: is missing; source: is missing; type: is missing; specversion: must be "1.0"',
    );
    expect(deadLetters.map(({ body }) => Buffer.from(body).toString("hex"))).toContain("fffe");
    expect(recorder.started.map(({ number }) => number)).toEqual([7]);
  });
}

function describeClosing(started: GetHarness): void {
  test("closing waits for a handler, and later messages go to another consumer in order", async () => {
    const [topic, recorder, blocked] = [freshTopic(), new HandlerRecorder(), gate()];
    const [first, second] = [await started().open(), await started().open()];
    const work = ({ number }: { readonly number: number }): Promise<void> =>
      number === 0 ? blocked.opened : Promise.resolve();
    await first.subscribe(topic, "handed-over", recorder.handler(work));
    // More than a consumer prefetches.
    const all = Array.from({ length: 40 }, (_, number) => number);
    for (const number of all) await first.publish(topic, numberedEvent(number), { key: "k" });
    await recorder.until(() => recorder.started.length === 1);
    const closed = first.close();
    await second.subscribe(topic, "handed-over", recorder.handler());
    expect(recorder.started).toHaveLength(1);
    blocked.open();
    await closed;
    await recorder.until(() => recorder.ended.length === 40);
    expect(recorder.orders.get("k")).toEqual(all);
    expect(recorder.overlaps).toEqual([]);
    expect(recorder.started).toHaveLength(40);
  });

  test("closing aborts a slow handler; its message and later ones are redelivered in order", async () => {
    const [topic, recorder] = [freshTopic(), new HandlerRecorder()];
    const [first, second] = [await started().open(), await started().open()];
    const hang = (_run: unknown, signal: AbortSignal): Promise<void> =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true }));
    await first.subscribe(topic, "stuck", recorder.handler(hang), { ...QUICK, attemptsMax: 1 });
    const all = Array.from({ length: 40 }, (_, number) => number);
    for (const number of all) await first.publish(topic, numberedEvent(number), { key: "k" });
    await recorder.until(() => recorder.started.length === 1);
    await first.close();
    await second.subscribe(topic, "stuck", recorder.handler());
    await recorder.until(() => recorder.ended.length === 40);
    expect(recorder.orders.get("k")).toEqual(all);
    expect(recorder.started).toHaveLength(41);
    expect(await second.deadLetters(topic, "stuck").list()).toEqual([]);
  });

  test("a consumer closed under load loses and reorders no messages", async () => {
    const [topic, recorder] = [freshTopic(), new HandlerRecorder()];
    const [first, second] = [await started().open(), await started().open()];
    const work = (): Promise<void> => realClock.sleep(1);
    const leaving = await first.subscribe(topic, "load", recorder.handler(work));
    await second.subscribe(topic, "load", recorder.handler(work));
    const published = Promise.all(
      Array.from({ length: 400 }, (_, n) =>
        second.publish(topic, numberedEvent(Math.floor(n / 20)), { key: `key-${n % 20}` }),
      ),
    );
    await recorder.until(() => recorder.ended.length >= 50);
    await leaving.close();
    await published;
    await recorder.until(() => recorder.ended.length >= 400);
    expect(recorder.overlaps).toEqual([]);
    expect(recorder.started).toHaveLength(400);
    for (const order of recorder.orders.values())
      expect(order).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  test("a closed broker refuses calls, reports that it is down, and can be closed again", async () => {
    const broker = await started().open();
    expect(await broker.health()).toEqual({ kind: "up" });
    await broker.close();
    await broker.close();
    expect(await broker.health()).toEqual({ kind: "down", reason: "closed" });
    await expect(broker.publish("t", numberedEvent(0))).rejects.toThrow(BrokerUnavailableError);
    await expect(broker.subscribe("t", "s", async () => {})).rejects.toThrow(BrokerUnavailableError);
  });
}

function describeEdges(started: GetHarness): void {
  test("invalid input is refused before it is sent, with its name", async () => {
    const broker = await started().open();
    const topic = freshTopic();
    await expect(broker.publish(topic, { ...numberedEvent(0), id: "" })).rejects.toThrow(
      "id: must be a non-empty string",
    );
    await expect(broker.publish(topic, { ...numberedEvent(0), data: "x".repeat(600_000) })).rejects.toThrow(
      InvalidEventError,
    );
    await expect(broker.publish("a/b", numberedEvent(0))).rejects.toThrow('invalid topic name "a/b"');
    await expect(broker.subscribe(topic, "*", async () => {})).rejects.toThrow('invalid subscription name "*"');
    const none = { concurrency: 0 };
    await expect(broker.subscribe(topic, "s", async () => {}, none)).rejects.toThrow("concurrency must be");
    expect(() => broker.deadLetters(topic, "")).toThrow('invalid subscription name ""');
    expect(await broker.deadLetters(topic, "ignored").list()).toEqual([]);
  });

  test("names with dots, dashes and underscores stay distinct", async () => {
    const [dotted, dashed, broker] = [new HandlerRecorder(), new HandlerRecorder(), await started().open()];
    await broker.subscribe("a.b", "s.t_u", dotted.handler());
    await broker.subscribe("a_b", "s.t_u", dashed.handler());
    await broker.publish("a.b", numberedEvent(1));
    await broker.publish("a_b", numberedEvent(2));
    await dotted.until(() => dotted.ended.length === 1);
    await dashed.until(() => dashed.ended.length === 1);
    expect([dotted, dashed].map(({ started: runs }) => runs.map(({ number }) => number))).toEqual([[1], [2]]);
  });
}
