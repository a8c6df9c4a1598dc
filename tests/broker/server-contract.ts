import { realClock } from "@levelset/core";
import type { Broker } from "@levelset/fleet";
import { describe, expect, test } from "vitest";
import { TestProcess } from "../support/process.ts";
import { ROOT } from "../support/repository.ts";
import { freshTopic } from "./contract.ts";
import type { ServerHarness } from "./harness.ts";
import { Inbox, numbered } from "./inbox.ts";

const KEYS = 10;
const PER_KEY = 40;
const HANGING = `${ROOT}/tests/broker/hanging-consumer.ts`;

/** What a broker with a server must do when the server or a consumer ends as with a power cut. */
export function describeOutages(name: string, start: () => Promise<ServerHarness>): void {
  describe(`${name}, with outages`, () => {
    test("a server killed and started again mid-stream loses and mixes up nothing that was acknowledged", async () => {
      await using server = await start();
      const [topic, inbox] = [freshTopic(), new Inbox()];
      const [publisher, first, second] = [await server.open(), await server.open(), await server.open()];
      const work = (): Promise<void> => realClock.sleep(2);
      await first.subscribe(topic, "steady", inbox.handler(work));
      await second.subscribe(topic, "steady", inbox.handler(work));
      await server.settle();
      const acknowledged: string[] = [];
      const published = publishAll(publisher, topic, acknowledged);
      await inbox.until(() => inbox.ended.length >= 60);
      await server.kill();
      expect(await publisher.health()).toMatchObject({ kind: "down" });
      await server.start();
      await published;
      expect(acknowledged).toHaveLength(KEYS * PER_KEY);
      const isComplete = (): boolean => [...inbox.orders.values()].flat().length === KEYS * PER_KEY;
      await inbox.until(isComplete);
      for (const [key, order] of inbox.orders)
        expect([key, order]).toEqual([key, Array.from({ length: PER_KEY }, (_, number) => number)]);
      expect(await publisher.health()).toEqual({ kind: "up" });
    }, 120_000);

    test("what a consumer held when it was killed is handled by another, before what came later", async () => {
      await using server = await start();
      const [topic, inbox, broker] = [freshTopic(), new Inbox(), await server.open()];
      const args = ["-C", "levelset-source", HANGING, JSON.stringify(server.config), topic, "mortal"];
      await using consumer = new TestProcess(process.execPath, { args, cwd: ROOT });
      await consumer.says(/subscribed/u);
      for (let number = 0; number < 5; number++) await broker.publish(topic, numbered(number), { key: "k" });
      await consumer.says(/handling event-0/u);
      await broker.subscribe(topic, "mortal", inbox.handler());
      expect(inbox.started).toEqual([]);
      consumer.signal("SIGKILL");
      await inbox.until(() => inbox.ended.length === 5);
      expect(inbox.orders.get("k")).toEqual([0, 1, 2, 3, 4]);
      expect(inbox.started).toHaveLength(5);
      expect(consumer.output).not.toContain("event-1");
    }, 60_000);

    test("a publish without a server is refused in time, and works again with one", async () => {
      await using server = await start();
      const [topic, inbox, broker] = [freshTopic(), new Inbox(), await server.open()];
      await broker.subscribe(topic, "patient", inbox.handler());
      await server.settle();
      await server.kill();
      const controller = new AbortController();
      const refused = broker.publish(topic, numbered(0), { key: "k", signal: controller.signal });
      controller.abort();
      await expect(refused).rejects.toThrow("given up");
      const later = broker.publish(topic, numbered(1), { key: "k" });
      await server.start();
      await later;
      await inbox.until(() => inbox.ended.some(({ number }) => number === 1));
      expect(inbox.orders.get("k")?.at(-1)).toBe(1);
    }, 60_000);

    test("a broker closes without its server", async () => {
      await using server = await start();
      const broker = await server.open();
      await broker.subscribe(freshTopic(), "left", async () => {});
      await server.kill();
      await broker.close();
      expect(await broker.health()).toEqual({ kind: "down", reason: "closed" });
    }, 30_000);
  });
}

/** Each key's messages one after the other, as somebody does who awaits each acknowledgement. */
async function publishAll(broker: Broker, topic: string, acknowledged: string[]): Promise<void> {
  await Promise.all(
    Array.from({ length: KEYS }, async (_, at) => {
      const key = `key-${at}`;
      for (let number = 0; number < PER_KEY; number++) {
        await broker.publish(topic, numbered(number), { key });
        acknowledged.push(`${key} ${number}`);
      }
    }),
  );
}
