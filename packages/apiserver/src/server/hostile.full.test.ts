import { once } from "node:events";
import type { Socket } from "node:net";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import { call } from "./client.fixture.ts";
import { createApiServer } from "./api-server.ts";
import { listen } from "./listen.ts";

const CONFIGMAPS = "/api/v1/namespaces/default/configmaps";
const COUNT = 1000;
const BATCH = 50;

test("a thousand watches on a thousand connections open, receive events and close", async () => {
  const server = createApiServer();
  const listening = await listen(server);
  const authorization = `Authorization: Bearer ${listening.token}`;
  const request = `GET ${CONFIGMAPS}?watch=true HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`;
  const open = async (): Promise<Socket> => {
    const socket = connect({ port: listening.port, host: "127.0.0.1", ca: listening.ca });
    await once(socket, "secureConnect");
    socket.write(request);
    await once(socket, "data");
    return socket;
  };
  const sockets: Socket[] = [];
  while (sockets.length < COUNT) sockets.push(...(await Promise.all(Array.from({ length: BATCH }, open))));
  expect(server.metrics.openWatches).toBe(COUNT);
  expect(listening.connections).toBe(COUNT);
  const name = "seen-by-all";
  const seen = Promise.all(sockets.map((socket) => receives(socket, name)));
  await call(listening, CONFIGMAPS, { method: "POST", body: JSON.stringify({ metadata: { name } }) });
  await seen;
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => [server.metrics.openWatches, listening.connections]).toEqual([0, 0]);
  expect((await call(listening, "/readyz")).code).toBe(200);
  await listening.close();
  server.close();
});

/** Resolves when the server has sent a text. */
async function receives(socket: Socket, expected: string): Promise<void> {
  let text = "";
  while (!text.includes(expected)) text += String((await once(socket, "data"))[0]);
}
