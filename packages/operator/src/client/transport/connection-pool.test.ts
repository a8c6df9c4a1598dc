import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { ConnectionPool } from "./connection-pool.ts";

/** The idle timeout of the tests that wait for it. */
const SILENCE_MS = 50;

/** Starts an HTTP server with this handler, and a pool of connections to it. */
async function open(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: { readonly silenceMs?: number } = {},
) {
  const server = createServer(answer);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const pool = new ConnectionPool({ server: address, tls: {}, proxy: undefined, ...options });
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
  await using there = await open(() => {}, { silenceMs: SILENCE_MS });
  await expect(there.send(false)).rejects.toThrow("the server does not answer");
});

test("a response that stalls times out", async () => {
  const stalls = (_request: IncomingMessage, response: ServerResponse) => void response.write("half of an");
  await using there = await open(stalls, { silenceMs: SILENCE_MS });
  await expect(there.send(false)).rejects.toThrow("the server does not answer");
});

test("a watch without events does not time out", async () => {
  await using there = await open((_request, response) => response.flushHeaders());
  const { head } = await there.send(true);
  expect(head.socket.timeout).toBe(0);
});
