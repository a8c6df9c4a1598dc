import { realClock } from "@levelset/core";
import { UnroutableMessage } from "@levelset/fleet";
import type { CloudEvent, RabbitmqOptions } from "@levelset/fleet";
import { Connection } from "rabbitmq-client";
import type { SyncMessage } from "rabbitmq-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startRabbitmq } from "../support/rabbitmq-server.ts";
import { onServer } from "../support/server-process.ts";
import { describeBroker, freshTopic } from "./contract.ts";
import { opener } from "./harness.ts";
import type { ServerHarness } from "./harness.ts";
import { Inbox, numbered } from "./inbox.ts";
import { describeOutages } from "./server-contract.ts";
import { RABBITMQ } from "../../tools/system/need.ts";

/** RabbitMQ 3.10 writes to the disk every 5 s which quorum queues there are; a younger one does not come back from a kill. */
const QUORUM_SYNC_MS = 6_000;

interface RabbitmqHarness extends ServerHarness {
  readonly url: string;
}

async function startHarness(options: Partial<RabbitmqOptions> = {}): Promise<RabbitmqHarness> {
  const server = await startRabbitmq();
  const config = { kind: "rabbitmq", url: server.url, rebalanceMs: 100, ...options } as const;
  const { open, close } = opener(config);
  return {
    url: server.url,
    config,
    open,
    settle: () => realClock.sleep(config.queueType === "classic" ? 0 : QUORUM_SYNC_MS),
    kill: () => server.kill(),
    start: () => server.start(),
    publishBytes: (topic, body) => publishAsOthers(server.url, topic, body),
    [Symbol.asyncDispose]: async () => {
      await close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** To the exchange of the topic, without a routing key, as the public originals do. */
async function publishAsOthers(url: string, topic: string, body: Uint8Array): Promise<void> {
  const connection = new Connection(url);
  const publisher = connection.createPublisher({ confirm: true });
  await publisher.send({ exchange: topic, durable: true }, Buffer.from(body));
  await publisher.close();
  await connection.close();
}

/** What declares, publishes and consumes exactly as the library of the originals does. */
class Peer implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #topic: string;
  readonly #type: "fanout" | "topic";

  constructor(url: string, topic: string, type: "fanout" | "topic") {
    this.#connection = new Connection(url);
    this.#topic = topic;
    this.#type = type;
  }

  /** Their subscriber: a durable queue without arguments, the exchange, and a binding with an empty key. */
  async subscribe(subscription: string, routingKey: string = ""): Promise<void> {
    const queue = this.#queue(subscription);
    await this.#connection.queueDeclare({ queue, durable: true });
    await this.#declare();
    await this.#connection.queueBind({ queue, exchange: this.#topic, routingKey });
  }

  /** Their publisher: structured JSON, no content type, the id of the message in a header. */
  async publish(event: CloudEvent, routingKey: string = ""): Promise<void> {
    await this.#declare();
    const publisher = this.#connection.createPublisher({ confirm: true });
    const headers = { _watermill_message_uuid: event.id };
    const envelope = { exchange: this.#topic, routingKey, durable: true, headers };
    await publisher.send(envelope, Buffer.from(JSON.stringify(event)));
    await publisher.close();
  }

  /** So many messages, in their order. They are in the queue once their publishes resolved. */
  async receive(subscription: string, count: number): Promise<readonly SyncMessage[]> {
    const messages: SyncMessage[] = [];
    while (messages.length < count) {
      const message = await this.#connection.basicGet({ queue: this.#queue(subscription), noAck: true });
      if (message === undefined) throw new Error(`only ${messages.length} messages of ${count} arrived`);
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

  test("a consumer that comes later gets its share, and order holds meanwhile", async () => {
    await using server = await startHarness();
    const [topic, early, late, all] = [freshTopic(), new Inbox(), new Inbox(), new Inbox()];
    const [first, second] = [await server.open(), await server.open()];
    const share = (inbox: Inbox) => all.handler((run, signal) => inbox.handler()(run.message, signal));
    await first.subscribe(topic, "shared", share(early));
    await first.publish(topic, numbered(0), { key: "key-0" });
    await early.until(() => early.ended.length === 1);
    await second.subscribe(topic, "shared", share(late));
    let number = 1;
    while (late.ended.length < 50 || early.ended.length < 50) {
      await Promise.all(
        Array.from({ length: 32 }, (_, at) => first.publish(topic, numbered(number), { key: `key-${at}` })),
      );
      number++;
    }
    await all.until(() => all.ended.length === 1 + 32 * (number - 1));
    expect(all.overlaps).toEqual([]);
    for (const order of all.orders.values()) expect(order).toEqual(order.toSorted((a, b) => a - b));
  }, 60_000);

  describe.each(["fanout", "topic"] as const)("with the originals on an exchange of type %s", (exchangeType) => {
    let server: RabbitmqHarness | undefined;
    beforeAll(async () => {
      server = await startHarness({ exchangeType });
    });
    afterAll(() => server?.[Symbol.asyncDispose]());
    const started = (): RabbitmqHarness => {
      if (server === undefined) throw new Error("the server did not start");
      return server;
    };

    test("their consumers receive what our publishers send, in a form that they can read", async () => {
      const [topic, broker] = [freshTopic(), await started().open()];
      await using peer = new Peer(started().url, topic, exchangeType);
      await peer.subscribe("go");
      for (let number = 0; number < 20; number++) await broker.publish(topic, numbered(number), { key: `k-${number}` });
      const messages = await peer.receive("go", 20);
      expect(messages.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual(
        Array.from({ length: 20 }, (_, number) => ({ ...numbered(number), partitionkey: `k-${number}` })),
      );
      for (const { headers, durable } of messages) {
        // Their library refuses a message with a header that is no text.
        expect(Object.values(headers ?? {}).every((value) => typeof value === "string")).toBe(true);
        expect(durable).toBe(true);
      }
    });

    test("our consumers receive what their publishers send, with or without a routing key", async () => {
      const [topic, inbox, broker] = [freshTopic(), new Inbox(), await started().open()];
      await using peer = new Peer(started().url, topic, exchangeType);
      await broker.subscribe(topic, "ours", inbox.handler());
      await peer.publish(numbered(0));
      await peer.publish(numbered(1), "clusters.created");
      await inbox.until(() => inbox.ended.length === 2);
      expect(inbox.ended.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([0, 1]);
    });

    test("our own messages spread over the queues of a subscription as before", async () => {
      const [topic, broker] = [freshTopic(), await started().open()];
      await (await broker.subscribe(topic, "ours", async () => {})).close();
      for (let number = 0; number < 64; number++) await broker.publish(topic, numbered(number), { key: `k-${number}` });
      await using peer = new Peer(started().url, topic, exchangeType);
      const counts = await Promise.all(Array.from({ length: 16 }, (_, slot) => peer.count(`${topic}-ours.${slot}`)));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(64);
      expect(counts.filter((count) => count > 0).length).toBeGreaterThan(8);
    });

    test("a message without any queue is refused, and published once there is one", async () => {
      const [topic, inbox, broker] = [freshTopic(), new Inbox(), await started().open()];
      const refused = broker.publish(topic, numbered(0), { key: "k" });
      await expect(refused).rejects.toThrow(`no queue is bound to the exchange ${topic}`);
      await expect(refused).rejects.toBeInstanceOf(UnroutableMessage);
      await broker.subscribe(topic, "late", inbox.handler());
      await broker.publish(topic, numbered(1), { key: "k" });
      await inbox.until(() => inbox.ended.length === 1);
      expect(inbox.orders.get("k")).toEqual([1]);
    });

    test("an exchange of another type is refused with what to set", async () => {
      const [topic, broker] = [freshTopic(), await started().open()];
      await using peer = new Peer(started().url, topic, exchangeType === "topic" ? "fanout" : "topic");
      await peer.subscribe("go");
      const hint = `exchange ${topic} exists with other settings: set exchange_type`;
      await expect(broker.publish(topic, numbered(0))).rejects.toThrow(hint);
      await expect(broker.subscribe(topic, "ours", async () => {})).rejects.toThrow(hint);
    });
  });

  test("a topic exchange whose consumers bind another key gets messages with that key", async () => {
    await using server = await startHarness({
      exchangeType: "topic",
      exchange: "shared",
      routingKey: "pulses.clusters",
    });
    const [inbox, broker] = [new Inbox(), await server.open()];
    await using peer = new Peer(server.url, "shared", "topic");
    await peer.subscribe("go", "pulses.*");
    await broker.subscribe("clusters", "ours", inbox.handler());
    await broker.publish("clusters", numbered(3), { key: "k" });
    expect(await peer.receive("go", 1)).toHaveLength(1);
    await inbox.until(() => inbox.ended.length === 1);
  });

  test("dead letters do not fill the disk: of each subscription so many are kept, the newest", async () => {
    await using server = await startHarness({ queueType: "classic" });
    await (await server.open()).subscribe("topic", "s", async () => {});
    const connection = new Connection(server.url);
    const declare = (max: number): Promise<unknown> => {
      const limits = { "x-queue-type": "classic", "x-max-length": max } as const;
      return connection.queueDeclare({ queue: "topic-s-dlq", durable: true, arguments: limits });
    };
    // The server takes a declaration that is what there is, and no other.
    await declare(10_000);
    await expect(declare(10_001)).rejects.toThrow("x-max-length");
    await connection.close();
  });

  test("two subscriptions whose queues would have one name are told apart by the server", async () => {
    await using server = await startHarness();
    const broker = await server.open();
    await broker.subscribe("a-b", "c", async () => {});
    await expect(broker.subscribe("a", "b-c", async () => {})).rejects.toThrow("x-dead-letter-exchange");
  });
});
