import { realClock } from "@levelset/core";
import type { Clock } from "@levelset/core";
import { openBroker } from "@levelset/fleet";
import type { BrokerConfig } from "@levelset/fleet";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { startNats } from "../../support/nats-server.ts";
import { onServer } from "../../support/server-process.ts";
import { describeBroker, freshTopic } from "./contract.ts";
import { brokerWorld, brokerOpener } from "./harness.ts";
import type { ServerHarness } from "./harness.ts";
import { HandlerRecorder, numberedEvent } from "./handler-recorder.ts";
import { describeOutages } from "./server-contract.ts";
import { NATS } from "../../../tools/system/system-requirement.ts";

/** Short enough that a test waits for a redelivery, long enough that a consumer on a busy machine keeps its message. */
const OUTAGE_ACK_WAIT_MS = 5_000;
const SLOW_ACK_WAIT_MS = 10_000;

async function startHarness(options: { readonly ackWaitMs?: number } = {}): Promise<ServerHarness> {
  const server = await startNats();
  const config: BrokerConfig = { kind: "nats", servers: [server.address], ...options };
  const { open, close } = brokerOpener(config);
  return {
    config,
    open,
    untilQueuesDurable: async () => {},
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
  describeBroker("NATS JetStream", () => startHarness());
  describeOutages("NATS JetStream", () => startHarness({ ackWaitMs: OUTAGE_ACK_WAIT_MS }));

  test("a handler that exceeds the ack wait retains its message by progress signals", async () => {
    await using server = await startHarness({ ackWaitMs: SLOW_ACK_WAIT_MS });
    const [topic, recorder] = [freshTopic(), new HandlerRecorder()];
    const work = (): Promise<void> => realClock.sleep(1.5 * SLOW_ACK_WAIT_MS);
    for (const broker of [await server.open(), await server.open()])
      await broker.subscribe(topic, "slow", recorder.handler(work));
    await (await server.open()).publish(topic, numberedEvent(0), { key: "k" });
    await recorder.until(() => recorder.ended.length === 1);
    expect(recorder.started).toHaveLength(1);
  });

  test("a subscription that starts during a server outage starts when the server is back", async () => {
    await using server = await startHarness();
    const hasRetried = Promise.withResolvers<void>();
    const sleep: Clock["sleep"] = (ms, signal) => {
      hasRetried.resolve();
      return realClock.sleep(ms, signal);
    };
    await using broker = await openBroker(server.config, { ...brokerWorld(), clock: { ...realClock, sleep } });
    await server.kill();
    const [topic, recorder] = [freshTopic(), new HandlerRecorder()];
    const subscribed = broker.subscribe(topic, "patient", recorder.handler());
    await Promise.race([subscribed, hasRetried.promise]);
    await server.start();
    await subscribed;
    await broker.publish(topic, numberedEvent(0), { key: "k" });
    await recorder.until(() => recorder.ended.length === 1);
    expect(recorder.orders.get("k")).toEqual([0]);
  });

  test("the number of dead letters per subscription is limited, and the newest are retained", async () => {
    await using server = await startNats();
    const { open, close } = brokerOpener({ kind: "nats", servers: [server.address] });
    await using stack = new AsyncDisposableStack();
    stack.defer(close);
    await (await open()).subscribe("topic", "s", async () => {});
    await using administrator = await connect({ servers: server.address });
    const { config } = await (await jetstreamManager(administrator)).streams.info("topic=dlq");
    expect(config).toMatchObject({ max_msgs_per_subject: 10_000, discard: "old" });
  });

  test("lost streams of a topic are recreated by publishers and consumers", async () => {
    await using server = await startNats();
    const { open, close } = brokerOpener({ kind: "nats", servers: [server.address], ackWaitMs: 1_500 });
    await using stack = new AsyncDisposableStack();
    stack.defer(close);
    const [topic, recorder, broker] = [freshTopic(), new HandlerRecorder(), await open()];
    await broker.subscribe(topic, "s", recorder.handler());
    await using administrator = await connect({ servers: server.address });
    const jsm = await jetstreamManager(administrator);
    await jsm.streams.delete(topic);
    // Until the consumers exist again, messages have no receiver. A partition with an open pull request notices when
    // the request ends.
    let consumers = 0;
    for (let number = 0; recorder.ended.length === 0 || consumers < 64; number++) {
      await broker.publish(topic, numberedEvent(number), { key: "k" });
      await realClock.sleep(100);
      consumers = (await jsm.streams.info(topic)).state.consumer_count;
    }
    expect(consumers).toBe(64);
  });
});
