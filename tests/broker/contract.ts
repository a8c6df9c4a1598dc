import { realClock } from "@levelset/core";
import { BrokerUnavailable, encodeEvent, InvalidEvent, parseEvent, RejectedMessage, traceOf } from "@levelset/fleet";
import type { CloudEvent } from "@levelset/fleet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BrokerHarness } from "./harness.ts";
import { gate, Inbox, numbered } from "./inbox.ts";

const QUICK = { backoff: { firstMs: 5, maxMs: 20 }, attemptsMax: 3, closeGraceMs: 200 };

/** Answers with the started server, once it is. */
export type Started = () => BrokerHarness;

let topics = 0;

/** A topic that no other test uses. */
export function freshTopic(): string {
  return `topic-${++topics}`;
}

/** What every broker must do, tried on one of them. */
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

function describeDelivery(started: Started): void {
  test("an event arrives with all its attributes, its key and its trace context", async () => {
    const [topic, inbox, broker] = [freshTopic(), new Inbox(), await started().open()];
    await broker.subscribe(topic, "all", inbox.handler());
    const event: CloudEvent = {
      ...numbered(1),
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
    await inbox.until(() => inbox.ended.length === 1);
    const message = inbox.ended[0]?.message;
    expect(message).toEqual({
      topic,
      subscription: "all",
      event: { ...event, partitionkey: "clusters/a" },
      key: "clusters/a",
      attempt: 1,
    });
    expect(traceOf(event)).toEqual({ traceparent: event.traceparent, tracestate: "vendor=1" });
  });

  test("consumers of one subscription share its messages, and every subscription gets all of them", async () => {
    const [topic, shared, other] = [freshTopic(), new Inbox(), new Inbox()];
    const [first, second] = [await started().open(), await started().open()];
    await first.subscribe(topic, "shared", shared.handler());
    await second.subscribe(topic, "shared", shared.handler());
    await second.subscribe(topic, "other", other.handler());
    for (let number = 0; number < 40; number++) await first.publish(topic, numbered(number), { key: `key-${number}` });
    await shared.until(() => shared.ended.length === 40);
    await other.until(() => other.ended.length === 40);
    const all = Array.from({ length: 40 }, (_, number) => number);
    expect(shared.started.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(all);
    expect(other.started.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(all);
  });

  test("a subscription keeps its messages while it has no consumer", async () => {
    const [topic, inbox, broker] = [freshTopic(), new Inbox(), await started().open()];
    const subscription = await broker.subscribe(topic, "kept", inbox.handler());
    await subscription.close();
    for (let number = 0; number < 5; number++) await broker.publish(topic, numbered(number), { key: "k" });
    expect(inbox.started).toEqual([]);
    await broker.subscribe(topic, "kept", inbox.handler());
    await inbox.until(() => inbox.ended.length === 5);
    expect(inbox.orders.get("k")).toEqual([0, 1, 2, 3, 4]);
  });

  test("no more handlers run than asked for", async () => {
    const [topic, inbox, broker, hold] = [freshTopic(), new Inbox(), await started().open(), gate()];
    await broker.subscribe(
      topic,
      "few",
      inbox.handler(() => hold.opened),
      { concurrency: 3 },
    );
    for (let number = 0; number < 30; number++) await broker.publish(topic, numbered(number), { key: `key-${number}` });
    await inbox.until(() => inbox.started.length === 3);
    hold.open();
    await inbox.until(() => inbox.ended.length === 30);
    expect(inbox.peak).toBe(3);
  });
}

function describeOrder(started: Started): void {
  test("1,000 messages of 50 keys over 3 consumers: each once, in order, and one of a key at a time", async () => {
    const [topic, inbox] = [freshTopic(), new Inbox()];
    const publisher = await started().open();
    const brokers = await Promise.all([1, 2, 3].map(() => started().open()));
    const work = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    for (const broker of brokers) await broker.subscribe(topic, "ordered", inbox.handler(work), { concurrency: 10 });
    // Nobody waits for the publish before: the order of the calls counts.
    await Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        publisher.publish(topic, numbered(Math.floor(n / 50)), { key: `key-${n % 50}` }),
      ),
    );
    await inbox.until(() => inbox.ended.length === 1_000);
    expect(inbox.overlaps).toEqual([]);
    expect(inbox.started).toHaveLength(1_000);
    const inOrder = Array.from({ length: 20 }, (_, number) => number);
    expect(inbox.orders.size).toBe(50);
    for (const [key, order] of inbox.orders) expect([key, order]).toEqual([key, inOrder]);
  });

  test("a slow handler holds up its key and no other", async () => {
    const [topic, inbox, broker, hold] = [freshTopic(), new Inbox(), await started().open(), gate()];
    await broker.subscribe(
      topic,
      "slow",
      inbox.handler(({ key, number }) => (key === "slow" && number === 0 ? hold.opened : Promise.resolve())),
    );
    for (let number = 0; number < 3; number++) await broker.publish(topic, numbered(number), { key: "slow" });
    for (let number = 0; number < 3; number++) await broker.publish(topic, numbered(number), { key: "quick" });
    await inbox.until(() => inbox.ended.length === 3);
    expect(inbox.orders).toEqual(new Map([["quick", [0, 1, 2]]]));
    hold.open();
    await inbox.until(() => inbox.ended.length === 6);
    expect(inbox.orders.get("slow")).toEqual([0, 1, 2]);
    expect(inbox.overlaps).toEqual([]);
  });
}

function describeFailure(started: Started): void {
  test("a message that fails is tried again, and later ones of its key wait for it", async () => {
    const [topic, inbox, broker] = [freshTopic(), new Inbox(), await started().open()];
    const handler = inbox.handler(async ({ message, number }) => {
      if (number === 0 && message.attempt < 3) throw new Error("not yet");
    });
    await broker.subscribe(topic, "again", handler, QUICK);
    await broker.publish(topic, numbered(0), { key: "k" });
    await broker.publish(topic, numbered(1), { key: "k" });
    await inbox.until(() => inbox.ended.length === 2);
    const runs = inbox.started.map(({ message, number }) => [number, message.attempt]);
    expect(runs).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 1],
    ]);
    expect(await broker.deadLetters(topic, "again").list()).toEqual([]);
  });

  test("a handler that throws before its first await is one that failed", async () => {
    const [topic, broker] = [freshTopic(), await started().open()];
    const [tries, done] = [{ count: 0 }, gate()];
    const subscription = await broker.subscribe(
      topic,
      "panic",
      () => {
        if (++tries.count === 1) throw new TypeError("undefined is not a function");
        done.open();
        return Promise.resolve();
      },
      QUICK,
    );
    await broker.publish(topic, numbered(0), { key: "k" });
    await done.opened;
    await subscription.close();
    expect(tries.count).toBe(2);
  });
}

function describeDeadLetters(started: Started): void {
  test("a message that always fails becomes a dead letter, and its key goes on", async () => {
    const [topic, inbox, broker] = [freshTopic(), new Inbox(), await started().open()];
    const poison = inbox.handler(async ({ number }) => {
      if (number === 0) throw new Error("no such\ncluster: ä");
    });
    await broker.subscribe(topic, "dead", poison, QUICK);
    const other = new Inbox();
    await broker.subscribe(topic, "other", other.handler());
    await broker.publish(topic, numbered(0), { key: "k" });
    await broker.publish(topic, numbered(1), { key: "k" });
    await inbox.until(() => inbox.ended.length === 1);
    const letters = await broker.deadLetters(topic, "dead").list();
    expect(letters).toMatchObject([{ reason: "exhausted", error: "no such\ncluster: ä", attempts: 3, key: "k" }]);
    expect(letters.map(({ body }) => parseEvent(body).id)).toEqual(["event-0"]);
    expect(await broker.deadLetters(topic, "other").list()).toEqual([]);
    await other.until(() => other.ended.length === 2);
    // Listing takes nothing away.
    expect(await broker.deadLetters(topic, "dead").list()).toEqual(letters);
  });

  test("dead letters are replayed to their own subscription, chosen or all, in order", async () => {
    const [topic, inbox, other, broker] = [freshTopic(), new Inbox(), new Inbox(), await started().open()];
    const cure = { isFound: false };
    const handler = inbox.handler(async () => {
      if (!cure.isFound) throw new RejectedMessage("of no use");
    });
    await broker.subscribe(topic, "dead", handler, QUICK);
    await broker.subscribe(topic, "other", other.handler());
    for (let number = 0; number < 5; number++) await broker.publish(topic, numbered(number), { key: "k" });
    await inbox.until(() => inbox.started.length === 5);
    await other.until(() => other.ended.length === 5);
    const queue = broker.deadLetters(topic, "dead");
    await eventually(async () => (await queue.list()).length === 5);
    const letters = await queue.list();
    expect(letters.map(({ reason, attempts }) => [reason, attempts])).toEqual(letters.map(() => ["rejected", 1]));
    expect(await queue.list({ limit: 2 })).toEqual(letters.slice(0, 2));
    cure.isFound = true;
    expect(await queue.discard([letters[4]?.id ?? ""])).toBe(1);
    expect(await queue.replay([letters[1]?.id ?? "", "no-such-letter"])).toBe(1);
    await inbox.until(() => inbox.ended.length === 1);
    expect(await queue.replay("all")).toBe(3);
    await inbox.until(() => inbox.ended.length === 4);
    expect(inbox.orders.get("k")).toEqual([1, 0, 2, 3]);
    expect(await queue.list()).toEqual([]);
    await broker.publish(topic, numbered(9), { key: "k" });
    await other.until(() => other.ended.length === 6);
    expect(other.started.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 9]);
  });

  test("bytes that are no event are dead letters at their first delivery, and nothing waits behind them", async () => {
    const [topic, inbox, broker] = [freshTopic(), new Inbox(), await started().open()];
    await broker.subscribe(topic, "strict", inbox.handler(), QUICK);
    const bodies = ["not JSON", '{"specversion":"0.3"}', "[]", ""].map((text) => new TextEncoder().encode(text));
    for (const body of [...bodies, Uint8Array.of(0xff, 0xfe)]) await started().publishBytes(topic, body);
    await started().publishBytes(topic, encodeEvent(numbered(7)));
    await inbox.until(() => inbox.ended.length === 1);
    const queue = broker.deadLetters(topic, "strict");
    await eventually(async () => (await queue.list()).length === 5);
    const letters = await queue.list();
    expect(new Set(letters.map(({ reason }) => reason))).toEqual(new Set(["malformed"]));
    expect(letters.map(({ error }) => error)).toContain(
      'invalid CloudEvent: id: is missing; source: is missing; type: is missing; specversion: must be "1.0"',
    );
    expect(letters.map(({ body }) => Buffer.from(body).toString("hex"))).toContain("fffe");
    expect(inbox.started.map(({ number }) => number)).toEqual([7]);
  });
}

function describeClosing(started: Started): void {
  test("closing lets a handler finish, and the messages behind it go to another consumer in order", async () => {
    const [topic, inbox, hold] = [freshTopic(), new Inbox(), gate()];
    const [first, second] = [await started().open(), await started().open()];
    const work = ({ number }: { readonly number: number }): Promise<void> =>
      number === 0 ? hold.opened : Promise.resolve();
    await first.subscribe(topic, "handed-over", inbox.handler(work));
    // More than a consumer holds at a time.
    const all = Array.from({ length: 40 }, (_, number) => number);
    for (const number of all) await first.publish(topic, numbered(number), { key: "k" });
    await inbox.until(() => inbox.started.length === 1);
    const closed = first.close();
    await second.subscribe(topic, "handed-over", inbox.handler());
    expect(inbox.started).toHaveLength(1);
    hold.open();
    await closed;
    await inbox.until(() => inbox.ended.length === 40);
    expect(inbox.orders.get("k")).toEqual(all);
    expect(inbox.overlaps).toEqual([]);
    expect(inbox.started).toHaveLength(40);
  });

  test("closing aborts a handler that takes too long; its message and those behind it come again in order", async () => {
    const [topic, inbox] = [freshTopic(), new Inbox()];
    const [first, second] = [await started().open(), await started().open()];
    const hang = (_run: unknown, signal: AbortSignal): Promise<void> =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true }));
    await first.subscribe(topic, "stuck", inbox.handler(hang), { ...QUICK, attemptsMax: 1 });
    const all = Array.from({ length: 40 }, (_, number) => number);
    for (const number of all) await first.publish(topic, numbered(number), { key: "k" });
    await inbox.until(() => inbox.started.length === 1);
    await first.close();
    await second.subscribe(topic, "stuck", inbox.handler());
    await inbox.until(() => inbox.ended.length === 40);
    expect(inbox.orders.get("k")).toEqual(all);
    expect(inbox.started).toHaveLength(41);
    expect(await second.deadLetters(topic, "stuck").list()).toEqual([]);
  });

  test("a consumer closed under load loses nothing and mixes up nothing", async () => {
    const [topic, inbox] = [freshTopic(), new Inbox()];
    const [first, second] = [await started().open(), await started().open()];
    const work = (): Promise<void> => realClock.sleep(1);
    const leaving = await first.subscribe(topic, "load", inbox.handler(work));
    await second.subscribe(topic, "load", inbox.handler(work));
    const published = Promise.all(
      Array.from({ length: 400 }, (_, n) =>
        second.publish(topic, numbered(Math.floor(n / 20)), { key: `key-${n % 20}` }),
      ),
    );
    await inbox.until(() => inbox.ended.length >= 50);
    await leaving.close();
    await published;
    await inbox.until(() => inbox.ended.length >= 400);
    expect(inbox.overlaps).toEqual([]);
    expect(inbox.started).toHaveLength(400);
    for (const order of inbox.orders.values()) expect(order).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  test("a closed broker refuses, says that it is down, and may be closed again", async () => {
    const broker = await started().open();
    expect(await broker.health()).toEqual({ kind: "up" });
    await broker.close();
    await broker.close();
    expect(await broker.health()).toEqual({ kind: "down", reason: "closed" });
    await expect(broker.publish("t", numbered(0))).rejects.toThrow(BrokerUnavailable);
    await expect(broker.subscribe("t", "s", async () => {})).rejects.toThrow(BrokerUnavailable);
  });
}

function describeEdges(started: Started): void {
  test("what is wrong is refused before it is sent, with its name", async () => {
    const broker = await started().open();
    const topic = freshTopic();
    await expect(broker.publish(topic, { ...numbered(0), id: "" })).rejects.toThrow("id: must be a text");
    await expect(broker.publish(topic, { ...numbered(0), data: "x".repeat(600_000) })).rejects.toThrow(InvalidEvent);
    await expect(broker.publish("a/b", numbered(0))).rejects.toThrow('topic "a/b" is no name');
    await expect(broker.subscribe(topic, "*", async () => {})).rejects.toThrow('subscription "*" is no name');
    const none = { concurrency: 0 };
    await expect(broker.subscribe(topic, "s", async () => {}, none)).rejects.toThrow("concurrency must be");
    expect(() => broker.deadLetters(topic, "")).toThrow('subscription "" is no name');
    expect(await broker.deadLetters(topic, "nobody").list()).toEqual([]);
  });

  test("names with dots, dashes and underscores stay apart", async () => {
    const [dotted, dashed, broker] = [new Inbox(), new Inbox(), await started().open()];
    await broker.subscribe("a.b", "s.t_u", dotted.handler());
    await broker.subscribe("a_b", "s.t_u", dashed.handler());
    await broker.publish("a.b", numbered(1));
    await broker.publish("a_b", numbered(2));
    await dotted.until(() => dotted.ended.length === 1);
    await dashed.until(() => dashed.ended.length === 1);
    expect([dotted, dashed].map(({ started: runs }) => runs.map(({ number }) => number))).toEqual([[1], [2]]);
  });
}

/** A letter is safe a moment after its handler ended; nobody is told of it. */
async function eventually(condition: () => Promise<boolean>): Promise<void> {
  await expect.poll(condition, { timeout: 10_000 }).toBe(true);
}
