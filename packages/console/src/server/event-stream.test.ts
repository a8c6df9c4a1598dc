import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { sendEvents } from "./event-stream.ts";
import { LiveTable } from "./live-table.ts";
import { tableTopic } from "./topics.ts";

interface Row {
  readonly id: string;
  readonly text: string;
}

test("a reader that takes nothing is sent one state and no more, and is given up after two minutes", async () => {
  const clock = new VirtualClock();
  const table = new LiveTable<Row>("e");
  table.put({ id: "a", text: "x".repeat(10_000_000) });
  table.open();
  const ended = Promise.withResolvers<void>();
  const waiting = Promise.withResolvers<() => number>();
  const server = createServer((_, response) => {
    waiting.resolve(() => response.writableLength);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const topics = [{ name: "t", topic: tableTopic(table) }];
    const sent = sendEvents(response, { topics, positions: [""], clock, signal: gone.signal });
    void sent.then(ended.resolve, ended.reject);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1"); // a TCP server that listens has one
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  const waits = await waiting.promise;
  await expect.poll(waits).toBeGreaterThan(0);
  const before = waits();
  for (let value = 0; value < 100; value++) {
    table.put({ id: "a", text: `${value}${"x".repeat(10_000_000)}` });
    await clock.advance(1_000);
  }
  expect(waits()).toBeLessThanOrEqual(before);
  await clock.advance(60_000);
  await ended.promise;
  socket.destroy();
  server.close();
});
