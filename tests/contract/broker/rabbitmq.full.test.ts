import { realClock } from "@levelset/core";
import { UnroutableMessage } from "@levelset/fleet/server";
import type { CloudEvent, RabbitmqOptions } from "@levelset/fleet/server";
import { Connection } from "rabbitmq-client";
import type { SyncMessage } from "rabbitmq-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startRabbitmq } from "../../support/rabbitmq-server.ts";
import { onServer } from "../../support/server-process.ts";
import { describeBroker, freshTopic } from "./contract.ts";
import { brokerOpener } from "./harness.ts";
import type { ServerHarness } from "./harness.ts";
import { HandlerRecorder, numberedEvent } from "./handler-recorder.ts";
import { describeOutages } from "./server-contract.ts";
import { RABBITMQ } from "../../../tools/system/system-requirement.ts";

/** RabbitMQ 3.10 persists the list of quorum queues every 5 s; a newer queue does not survive a kill. */
const QUORUM_SYNC_MS = 6_000;

interface RabbitmqHarness extends ServerHarness {
  readonly url: string;
}

async function startHarness(options: Partial<RabbitmqOptions> = {}): Promise<RabbitmqHarness> {
  const server = await startRabbitmq();
  const config = { kind: "rabbitmq", url: server.url, rebalanceMs: 100, ...options } as const;
  const { open, close } = brokerOpener(config);
  return {
    url: server.url,
    config,
    open,
    untilQueuesDurable: () => realClock.sleep(config.queueType === "classic" ? 0 : QUORUM_SYNC_MS),
    kill: () => server.kill(),
    start: () => server.start(),
    publishBytes: (topic, body) => publishAsOthers(server.url, topic, body),
    [Symbol.asyncDispose]: async () => {
      await close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Publishes to the topic exchange without a routing key, like third-party publishers. */
async function publishAsOthers(url: string, topic: string, body: Uint8Array): Promise<void> {
  const connection = new Connection(url);
  const publisher = connection.createPublisher({ confirm: true });
  await publisher.send({ exchange: topic, durable: true }, Buffer.from(body));
  await publisher.close();
  await connection.close();
}

/** Declares, publishes and consumes exactly like the third-party library. */
class Peer implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #topic: string;
  readonly #type: "fanout" | "topic";

  constructor(url: string, topic: string, type: "fanout" | "topic") {
    this.#connection = new Connection(url);
    this.#topic = topic;
    this.#type = type;
  }

  /**
   * Declares what the third-party subscriber does: a durable queue without arguments, the exchange, and a binding with
   * an empty key.
   */
  async subscribe(subscription: string, routingKey: string = ""): Promise<void> {
    const queue = this.#queue(subscription);
    await this.#connection.queueDeclare({ queue, durable: true });
    await this.#declare();
    await this.#connection.queueBind({ queue, exchange: this.#topic, routingKey });
  }

  /** Publishes like the third-party publisher: structured JSON, no content type, the id of the message in a header. */
  async publish(event: CloudEvent, routingKey: string = ""): Promise<void> {
    await this.#declare();
    const publisher = this.#connection.createPublisher({ confirm: true });
    const headers = { _watermill_message_uuid: event.id };
    const envelope = { exchange: this.#topic, routingKey, durable: true, headers };
    await publisher.send(envelope, Buffer.from(JSON.stringify(event)));
    await publisher.close();
  }

  /** Returns `count` messages in order. A message is in the queue once its publish resolved. */
  async receive(subscription: string, count: number): Promise<readonly SyncMessage[]> {
    const messages: SyncMessage[] = [];
    while (messages.length < count) {
      const message = await this.#connection.basicGet({ queue: this.#queue(subscription), noAck: true });
      if (message === undefined) throw new Error(`only ${messages.length} of ${count} messages arrived`);
      messages.push(message);
    }
    return messages;
  }

  async count(queue: string): Promise<number> {
    return (await this.#connection.queueDeclare({ queue, passive: true })).messageCount;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close();
  }

  #queue(subscription: string): string {
    return `${this.#topic}-${subscription}`;
  }

  async #declare(): Promise<void> {
    await this.#connection.exchangeDeclare({ exchange: this.#topic, type: this.#type, durable: true });
  }
}

onServer("RabbitMQ", RABBITMQ, () => {
  describeBroker("RabbitMQ with a topic exchange", () => startHarness({ queueType: "classic", exchangeType: "topic" }));
  describeBroker("RabbitMQ with quorum queues", () => startHarness());
  describeBroker("RabbitMQ with classic queues", () => startHarness({ queueType: "classic" }));
  describeOutages("RabbitMQ with quorum queues", () => startHarness());
  describeOutages("RabbitMQ with classic queues", () => startHarness({ queueType: "classic" }));

  test("a consumer that joins later gets its share, and order is preserved", async () => {
    await using server = await startHarness();
    const [topic, early, late, all] = [
      freshTopic(),
      new HandlerRecorder(),
      new HandlerRecorder(),
      new HandlerRecorder(),
    ];
    const [first, second] = [await server.open(), await server.open()];
    const share = (recorder: HandlerRecorder) => all.handler((run, signal) => recorder.handler()(run.message, signal));
    await first.subscribe(topic, "shared", share(early));
    await first.publish(topic, numberedEvent(0), { key: "key-0" });
    await early.until(() => early.ended.length === 1);
    await second.subscribe(topic, "shared", share(late));
    let number = 1;
    while (late.ended.length < 50 || early.ended.length < 50) {
      await Promise.all(
        Array.from({ length: 32 }, (_, at) => first.publish(topic, numberedEvent(number), { key: `key-${at}` })),
      );
      number++;
    }
    await all.until(() => all.ended.length === 1 + 32 * (number - 1));
    expect(all.overlaps).toEqual([]);
    for (const order of all.orders.values()) expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  describe.each(["fanout", "topic"] as const)("with third-party clients on an exchange of type %s", (exchangeType) => {
    let server: RabbitmqHarness | undefined;
    beforeAll(async () => {
      server = await startHarness({ exchangeType });
    });
    afterAll(() => server?.[Symbol.asyncDispose]());
    const started = (): RabbitmqHarness => {
      if (server === undefined) throw new Error("the server did not start");
      return server;
    };

    test("third-party consumers can read the messages of our publishers", async () => {
      const [topic, broker] = [freshTopic(), await started().open()];
      await using peer = new Peer(started().url, topic, exchangeType);
      await peer.subscribe("go");
      for (let number = 0; number < 20; number++)
        await broker.publish(topic, numberedEvent(number), { key: `k-${number}` });
      const messages = await peer.receive("go", 20);
      expect(messages.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual(
        Array.from({ length: 20 }, (_, number) => ({ ...numberedEvent(number), partitionkey: `k-${number}` })),
      );
      for (const { headers, durable } of messages) {
        // The third-party library refuses a message with a header that is not a string.
        expect(Object.values(headers ?? {}).every((value) => typeof value === "string")).toBe(true);
        expect(durable).toBe(true);
      }
    });

    test("our consumers receive messages of third-party publishers, with or without a routing key", async () => {
      const [topic, recorder, broker] = [freshTopic(), new HandlerRecorder(), await started().open()];
      await using peer = new Peer(started().url, topic, exchangeType);
      await broker.subscribe(topic, "ours", recorder.handler());
      await peer.publish(numberedEvent(0));
      await peer.publish(numberedEvent(1), "clusters.created");
      await recorder.until(() => recorder.ended.length === 2);
      expect(recorder.ended.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([0, 1]);
    });

    test("our own messages spread over the queues of a subscription as before", async () => {
      const [topic, broker] = [freshTopic(), await started().open()];
      await (await broker.subscribe(topic, "ours", async () => {})).close();
      for (let number = 0; number < 64; number++)
        await broker.publish(topic, numberedEvent(number), { key: `k-${number}` });
      await using peer = new Peer(started().url, topic, exchangeType);
      const counts = await Promise.all(
        Array.from({ length: 16 }, (_, partition) => peer.count(`${topic}-ours.${partition}`)),
      );
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(64);
      expect(counts.filter((count) => count > 0).length).toBeGreaterThan(8);
    });

    test("a message without a bound queue is refused, and published once there is one", async () => {
      const [topic, recorder, broker] = [freshTopic(), new HandlerRecorder(), await started().open()];
      const refused = broker.publish(topic, numberedEvent(0), { key: "k" });
      await expect(refused).rejects.toThrow(`no queue is bound to exchange ${topic}`);
      await expect(refused).rejects.toBeInstanceOf(UnroutableMessage);
      await broker.subscribe(topic, "late", recorder.handler());
      await broker.publish(topic, numberedEvent(1), { key: "k" });
      await recorder.until(() => recorder.ended.length === 1);
      expect(recorder.orders.get("k")).toEqual([1]);
    });

    test("an exchange of another type is refused with the setting to change", async () => {
      const [topic, broker] = [freshTopic(), await started().open()];
      await using peer = new Peer(started().url, topic, exchangeType === "topic" ? "fanout" : "topic");
      await peer.subscribe("go");
      const hint = `exchange ${topic} exists with different settings: set exchange_type`;
      await expect(broker.publish(topic, numberedEvent(0))).rejects.toThrow(hint);
      await expect(broker.subscribe(topic, "ours", async () => {})).rejects.toThrow(hint);
    });
  });

  test("a topic exchange whose consumers bind another key gets messages with that key", async () => {
    await using server = await startHarness({
      exchangeType: "topic",
      exchange: "shared",
      routingKey: "pulses.clusters",
    });
    const [recorder, broker] = [new HandlerRecorder(), await server.open()];
    await using peer = new Peer(server.url, "shared", "topic");
    await peer.subscribe("go", "pulses.*");
    await broker.subscribe("clusters", "ours", recorder.handler());
    await broker.publish("clusters", numberedEvent(3), { key: "k" });
    expect(await peer.receive("go", 1)).toHaveLength(1);
    await recorder.until(() => recorder.ended.length === 1);
  });

  test("the number of dead letters per subscription is limited, and the newest are retained", async () => {
    await using server = await startHarness({ queueType: "classic" });
    await (await server.open()).subscribe("topic", "s", async () => {});
    const connection = new Connection(server.url);
    const declare = (max: number): Promise<unknown> => {
      const limits = { "x-queue-type": "classic", "x-max-length": max } as const;
      return connection.queueDeclare({ queue: "topic-s-dlq", durable: true, arguments: limits });
    };
    // The server accepts only a declaration with the existing settings.
    await declare(10_000);
    await expect(declare(10_001)).rejects.toThrow("x-max-length");
    await connection.close();
  });

  test("the server refuses a second subscription with the same queue names", async () => {
    await using server = await startHarness();
    const broker = await server.open();
    await broker.subscribe("a-b", "c", async () => {});
    await expect(broker.subscribe("a", "b-c", async () => {})).rejects.toThrow("x-dead-letter-exchange");
  });
});
