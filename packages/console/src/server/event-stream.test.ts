import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { httpResponse, listenHttp } from "@levelset/core/http";
import { VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { openEventStream } from "./event-stream.ts";
import { LiveTable } from "./topic/live-table.ts";
import { tableTopic } from "./topic/topics.ts";

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
  const listener = await listenHttp(
    ({ signal }) => {
      const topics = [{ name: "t", topic: tableTopic(table) }];
      const body = openEventStream({ topics, positions: [""], clock, signal, onEnd: ended.resolve });
      return Promise.resolve({ ...httpResponse(200, body), abort: body.abort });
    },
    { port: 0, clock },
  );
  const onStart = (message: unknown): void => {
    const { response } = message as { readonly response: ServerResponse }; // the message of this channel of Node
    connected.resolve(() => response.writableLength);
  };
  subscribe("http.server.request.start", onStart);
  const socket = connect(listener.port, "127.0.0.1");
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
  unsubscribe("http.server.request.start", onStart);
  socket.destroy();
  await listener.close();
});
