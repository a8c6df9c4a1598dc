import { realClock } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { openBroker } from "@levelset/fleet";
import type { BrokerConfig } from "@levelset/fleet";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { startNats } from "../support/nats-server.ts";
import { onServer } from "../support/server-process.ts";
import { describeBroker, freshTopic } from "./contract.ts";
import { brokerWorld, opener } from "./harness.ts";
import type { ServerHarness } from "./harness.ts";
import { Inbox, numbered } from "./inbox.ts";
import { describeOutages } from "./server-contract.ts";
import { NATS } from "../../tools/system/need.ts";

const ACK_WAIT_MS = 1_500;

async function startHarness(): Promise<ServerHarness> {
  const server = await startNats();
  const config: BrokerConfig = { kind: "nats", servers: [server.address], ackWaitMs: ACK_WAIT_MS };
  const { open, close } = opener(config);
  return {
    config,
    open,
    settle: async () => {},
    kill: () => server.kill(),
    start: () => server.start(),
    publishBytes: async (topic, body) => {
      await using connection = await connect({ servers: server.address });
      await connection.request(`levelset.${topic}.all.0`, body);
    },
    [Symbol.asyncDispose]: async () => {
      await close();
      await server[Symbol.asyncDispose]();
    },
  };
}

onServer("NATS JetStream", NATS, () => {
  describeBroker("NATS JetStream", startHarness);
  describeOutages("NATS JetStream", startHarness);

  test("a handler that takes longer than the server waits keeps its message, by signs of life", async () => {
    await using server = await startHarness();
    const [topic, inbox] = [freshTopic(), new Inbox()];
    const work = (): Promise<void> => realClock.sleep(3 * ACK_WAIT_MS);
    for (const broker of [await server.open(), await server.open()])
      await broker.subscribe(topic, "slow", inbox.handler(work));
    await (await server.open()).publish(topic, numbered(0), { key: "k" });
    await inbox.until(() => inbox.ended.length === 1);
    expect(inbox.started).toHaveLength(1);
  });

  test("a subscription that begins while the server is away begins when it is back", async () => {
    await using server = await startHarness();
    const hasRetried = Promise.withResolvers<void>();
    const sleep: Clock["sleep"] = (ms, signal) => {
      hasRetried.resolve();
      return realClock.sleep(ms, signal);
    };
    await using broker = await openBroker(server.config, { ...brokerWorld(), clock: { ...realClock, sleep } });
    await server.kill();
    const [topic, inbox] = [freshTopic(), new Inbox()];
    const subscribed = broker.subscribe(topic, "patient", inbox.handler());
    await Promise.race([subscribed, hasRetried.promise]);
    await server.start();
    await subscribed;
    await broker.publish(topic, numbered(0), { key: "k" });
    await inbox.until(() => inbox.ended.length === 1);
    expect(inbox.orders.get("k")).toEqual([0]);
  });

  test("dead letters do not fill the disk: of each subscription so many are kept, the newest", async () => {
    await using server = await startNats();
    const { open, close } = opener({ kind: "nats", servers: [server.address] });
    await using stack = new AsyncDisposableStack();
    stack.defer(close);
    await (await open()).subscribe("topic", "s", async () => {});
    await using administrator = await connect({ servers: server.address });
    const { config } = await (await jetstreamManager(administrator)).streams.info("topic=dlq");
    expect(config).toMatchObject({ max_msgs_per_subject: 10_000, discard: "old" });
  });

  test("what a server lost of a topic is made again, by who publishes and by who consumes", async () => {
    await using server = await startNats();
    const { open, close } = opener({ kind: "nats", servers: [server.address], ackWaitMs: ACK_WAIT_MS });
    await using stack = new AsyncDisposableStack();
    stack.defer(close);
    const [topic, inbox, broker] = [freshTopic(), new Inbox(), await open()];
    await broker.subscribe(topic, "s", inbox.handler());
    await using administrator = await connect({ servers: server.address });
    const jsm = await jetstreamManager(administrator);
    await jsm.streams.delete(topic);
    // Until its consumers are there again, messages are for nobody. A slot that had just asked for one notices when its request ends.
    let consumers = 0;
    for (let number = 0; inbox.ended.length === 0 || consumers < 64; number++) {
      await broker.publish(topic, numbered(number), { key: "k" });
      await realClock.sleep(100);
      consumers = (await jsm.streams.info(topic)).state.consumer_count;
    }
    expect(consumers).toBe(64);
  }, 120_000);
});
