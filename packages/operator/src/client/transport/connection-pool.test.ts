import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { realClock } from "@levelset/core";
import { expect, test } from "vitest";
import { ConnectionPool } from "./connection-pool.ts";

const SILENCE_MS = 50;

/** Starts an HTTP server with this handler, and a pool of connections to it with a short timeout. */
async function open(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const pool = new ConnectionPool({ server: address, tls: {}, proxy: undefined, silenceMs: SILENCE_MS });
  return {
    send: (isStream: boolean) =>
      pool.send({ method: "GET", path: "/", headers: {}, body: undefined, isStream, signal: undefined }),
    [Symbol.asyncDispose]: async () => {
      pool.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

test("a request to a server that never responds times out", async () => {
  await using there = await open(() => {});
  await expect(there.send(false)).rejects.toThrow("the server does not answer");
});

test("a response that stalls times out", async () => {
  await using there = await open((_request, response) => void response.write("half of an"));
  await expect(there.send(false)).rejects.toThrow("the server does not answer");
});

test("a watch without events does not time out", async () => {
  const later = Promise.withResolvers<ServerResponse>();
  await using there = await open((_request, response) => {
    response.flushHeaders();
    later.resolve(response);
  });
  const { head } = await there.send(true);
  const response = await later.promise;
  await realClock.sleep(SILENCE_MS * 4);
  response.end("event");
  expect(await head.setEncoding("utf8").toArray()).toEqual(["event"]);
});
