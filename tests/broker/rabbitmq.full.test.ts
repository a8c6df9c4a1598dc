import { realClock } from "@levelset/core";
import type { RabbitmqOptions } from "@levelset/fleet";
import { Connection } from "rabbitmq-client";
import { expect, test } from "vitest";
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

onServer("RabbitMQ", RABBITMQ, () => {
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

  test("consumers of other makes hear our publishers through the exchange that is named as the topic", async () => {
    await using server = await startHarness();
    const [topic, broker] = [freshTopic(), await server.open()];
    const connection = new Connection(server.url);
    await connection.exchangeDeclare({ exchange: topic, type: "fanout", durable: true });
    await connection.queueDeclare({ queue: `${topic}-go`, durable: true });
    await connection.queueBind({ exchange: topic, queue: `${topic}-go` });
    await broker.publish(topic, numbered(3), { key: "k" });
    const message = await connection.basicGet({ queue: `${topic}-go`, noAck: true });
    expect(JSON.parse(String(message?.body))).toEqual({ ...numbered(3), partitionkey: "k" });
    expect(message?.contentType).toBe("application/cloudevents+json; charset=utf-8");
    await connection.close();
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
