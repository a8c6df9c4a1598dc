import { realClock } from "@levelset/core";
import type { Broker } from "@levelset/fleet";
import { describe, expect, test } from "vitest";
import { TestProcess } from "../../support/test-process.ts";
import { ROOT } from "../../support/repository.ts";
import { freshTopic } from "./contract.ts";
import type { ServerHarness } from "./harness.ts";
import { HandlerRecorder, numberedEvent } from "./handler-recorder.ts";

const KEYS = 10;
const PER_KEY = 40;
const HANGING = `${ROOT}/tests/contract/broker/hanging-consumer.ts`;

/** Contract tests of brokers with a server that is killed, or whose consumers are killed. */
export function describeOutages(name: string, start: () => Promise<ServerHarness>): void {
  describe(`${name}, with outages`, () => {
    test("a server killed and restarted mid-stream loses and reorders no acknowledged message", async () => {
      await using server = await start();
      const [topic, recorder] = [freshTopic(), new HandlerRecorder()];
      const [publisher, first, second] = [await server.open(), await server.open(), await server.open()];
      const work = (): Promise<void> => realClock.sleep(2);
      await first.subscribe(topic, "steady", recorder.handler(work));
      await second.subscribe(topic, "steady", recorder.handler(work));
      await server.untilQueuesDurable();
      const acknowledged: string[] = [];
      const published = publishAll(publisher, topic, acknowledged);
      await recorder.until(() => recorder.ended.length >= 60);
      await server.kill();
      await expect.poll(() => publisher.health()).toMatchObject({ kind: "down" });
      await server.start();
      await published;
      expect(acknowledged).toHaveLength(KEYS * PER_KEY);
      const isComplete = (): boolean => [...recorder.orders.values()].flat().length === KEYS * PER_KEY;
      await recorder.until(isComplete);
      for (const [key, order] of recorder.orders)
        expect([key, order]).toEqual([key, Array.from({ length: PER_KEY }, (_, number) => number)]);
      await expect.poll(() => publisher.health()).toEqual({ kind: "up" });
    });

    test("messages of a killed consumer are handled by another one, before later messages", async () => {
      await using server = await start();
      const [topic, recorder, broker] = [freshTopic(), new HandlerRecorder(), await server.open()];
      const args = ["-C", "levelset-source", HANGING, JSON.stringify(server.config), topic, "crashing"];
      await using consumer = new TestProcess(process.execPath, { args, cwd: ROOT });
      await consumer.untilOutput(/subscribed/u);
      for (let number = 0; number < 5; number++) await broker.publish(topic, numberedEvent(number), { key: "k" });
      await consumer.untilOutput(/handling event-0/u);
      await broker.subscribe(topic, "crashing", recorder.handler());
      expect(recorder.started).toEqual([]);
      consumer.signal("SIGKILL");
      await recorder.until(() => recorder.ended.length === 5);
      expect(recorder.orders.get("k")).toEqual([0, 1, 2, 3, 4]);
      expect(recorder.started).toHaveLength(5);
      expect(consumer.output).not.toContain("event-1");
    });

    test("a publish without a server fails in time, and succeeds once it is back", async () => {
      await using server = await start();
      const [topic, recorder, broker] = [freshTopic(), new HandlerRecorder(), await server.open()];
      await broker.subscribe(topic, "patient", recorder.handler());
      await server.untilQueuesDurable();
      await server.kill();
      const controller = new AbortController();
      const refused = broker.publish(topic, numberedEvent(0), { key: "k", signal: controller.signal });
      controller.abort();
      await expect(refused).rejects.toThrow("aborted");
      const later = broker.publish(topic, numberedEvent(1), { key: "k" });
      await server.start();
      await later;
      await recorder.until(() => recorder.ended.some(({ number }) => number === 1));
      expect(recorder.orders.get("k")?.at(-1)).toBe(1);
    });

    test("a broker closes without its server", async () => {
      await using server = await start();
      const broker = await server.open();
      await broker.subscribe(freshTopic(), "left", async () => {});
      await server.kill();
      await broker.close();
      expect(await broker.health()).toEqual({ kind: "down", reason: "closed" });
    });
  });
}

/** Publishes the messages of each key one after the other, awaiting each acknowledgement. */
async function publishAll(broker: Broker, topic: string, acknowledged: string[]): Promise<void> {
  await Promise.all(
    Array.from({ length: KEYS }, async (_, at) => {
      const key = `key-${at}`;
      for (let number = 0; number < PER_KEY; number++) {
        await broker.publish(topic, numberedEvent(number), { key });
        acknowledged.push(`${key} ${number}`);
      }
    }),
  );
}
