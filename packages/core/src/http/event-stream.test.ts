import { expect, test } from "vitest";
import { untilIdle, VirtualClock } from "../testing/index.ts";
import { EventStream, formatEvent } from "./event-stream.ts";

function openStream(): { stream: EventStream; clock: VirtualClock; client: AbortController } {
  const clock = new VirtualClock();
  const client = new AbortController();
  return {
    clock,
    client,
    stream: new EventStream({ clock, heartbeatMs: 15_000, stallMs: 120_000, signal: client.signal }),
  };
}

test("an event has its name and ID only if they are given", () => {
  expect(formatEvent({ data: "{}" })).toBe("data: {}\n\n");
  expect(formatEvent({ event: "gone", id: "7", data: "{}" })).toBe("event: gone\nid: 7\ndata: {}\n\n");
});

test("a producer continues when the client has read its event, and producers do not wait for each other's events", async () => {
  const { stream } = openStream();
  const done: string[] = [];
  void stream.send("a").then(() => done.push("a"));
  void stream.send("b").then(() => done.push("b"));
  const reader = stream[Symbol.asyncIterator]();
  expect((await reader.next()).value).toBe("a");
  await untilIdle();
  expect(done).toEqual([]);
  expect((await reader.next()).value).toBe("b");
  await untilIdle();
  expect(done).toEqual(["a"]);
});

test("a silent stream sends heartbeats", async () => {
  const { stream, clock } = openStream();
  const reader = stream[Symbol.asyncIterator]();
  const next = reader.next();
  await clock.advance(14_000);
  void stream.send("a");
  expect((await next).value).toBe("a");
  const quiet = reader.next();
  await clock.advance(15_000);
  expect((await quiet).value).toBe(": heartbeat\n\n");
});

test("a client that reads nothing is disconnected after the stall timeout", async () => {
  const { stream, clock } = openStream();
  void stream.send("a");
  await clock.advance(119_999);
  expect(stream.abort.aborted).toBe(false);
  await clock.advance(1);
  expect(stream.abort.aborted).toBe(true);
});

test("a stream ends with its signal, and releases its producers and timers", async () => {
  const { stream, clock, client } = openStream();
  const reader = stream[Symbol.asyncIterator]();
  void stream.send("a");
  await reader.next();
  const pending = stream.send("b");
  client.abort();
  await Promise.all([pending, stream.ended, stream.send("c")]);
  expect((await reader.next()).done).toBe(true);
  expect(clock.nextTimerAt).toBeUndefined();
});

test("the error of a producer is thrown to the reader", async () => {
  const { stream } = openStream();
  const next = stream[Symbol.asyncIterator]().next();
  stream.end(new Error("broken"));
  await expect(next).rejects.toThrow("broken");
});
