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

test("a client that reads nothing buffers one state and is disconnected after two minutes", async () => {
  const clock = new VirtualClock();
  const table = new LiveTable<Row>("e");
  table.put({ id: "a", text: "x".repeat(10_000_000) });
  table.open();
  const ended = Promise.withResolvers<void>();
  const connected = Promise.withResolvers<() => number>();
  const server = createServer((_, response) => {
    connected.resolve(() => response.writableLength);
    const closed = new AbortController();
    response.once("close", () => closed.abort());
    const topics = [{ name: "t", topic: tableTopic(table) }];
    const sent = sendEvents(response, { topics, positions: [""], clock, signal: closed.signal });
    void sent.then(ended.resolve, ended.reject);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1"); // address() of a listening TCP server
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  const bufferedBytes = await connected.promise;
  await expect.poll(bufferedBytes).toBeGreaterThan(0);
  const before = bufferedBytes();
  for (let value = 0; value < 100; value++) {
    table.put({ id: "a", text: `${value}${"x".repeat(10_000_000)}` });
    await clock.advance(1_000);
  }
  expect(bufferedBytes()).toBeLessThanOrEqual(before);
  await clock.advance(60_000);
  await ended.promise;
  socket.destroy();
  server.close();
});
