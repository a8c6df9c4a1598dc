import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTls } from "node:tls";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./client.fixture.ts";
import { createApiServer } from "./api-server.ts";
import { listen } from "./listen.ts";
import type { ListeningServer } from "./listen.ts";

const CONFIGMAPS = "/api/v1/namespaces/default/configmaps";
/** More than the kernel, TLS and Node buffer for a client that does not read. */
const LARGE_LIST_ITEMS = 24;
const server = createApiServer();
let listening: ListeningServer;

beforeAll(async () => {
  // Longer than any of these clients pauses, however busy the machine is.
  listening = await listen(server, { limits: { discardMs: 60_000 } });
  const data = { text: "x".repeat(1_000_000) };
  for (let index = 0; index < LARGE_LIST_ITEMS; index++) {
    const body = JSON.stringify({ metadata: { name: `large-${index}` }, data });
    await call(listening, CONFIGMAPS, { method: "POST", body });
  }
});

afterAll(async () => {
  await listening.close();
  server.close();
});

/** Opens a raw HTTP/1.1 connection. */
async function connection(): Promise<TLSSocket> {
  const socket = connectTls({
    port: listening.port,
    host: "127.0.0.1",
    ca: listening.ca,
    ALPNProtocols: ["http/1.1"],
  });
  await once(socket, "secureConnect");
  return socket;
}

function head(line: string, length?: number): string {
  const size = length === undefined ? "" : `content-type: application/json\r\ncontent-length: ${length}\r\n`;
  return `${line} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${listening.token}\r\n${size}\r\n`;
}

test("a write of many TLS records is stored although the previous response is not read yet", async () => {
  const socket = await connection();
  socket.write(head(`GET ${CONFIGMAPS}`));
  await once(socket, "readable");
  const text = "y".repeat(300_000);
  const body = JSON.stringify({ metadata: { name: "second" }, data: { text } });
  socket.write(head(`POST ${CONFIGMAPS}`, body.length));
  socket.write(body);
  let answered = "";
  for await (const piece of socket.setEncoding("latin1")) {
    answered = `${answered}${piece as string}`.slice(-400_000);
    if (answered.includes("HTTP/1.1 201 Created")) break;
  }
  expect(answered).toContain("HTTP/1.1 201 Created");
  const { text: stored } = await call(listening, `${CONFIGMAPS}/second`);
  expect(JSON.parse(stored)).toMatchObject({ data: { text } });
});

const TOO_LARGE_BYTES = 12_000_000;

test("over HTTP/1.1 a client that sends a whole body above the limit receives the complete 413", async () => {
  const socket = await connection();
  let answered = "";
  socket.setEncoding("latin1").on("data", (piece: string) => (answered += piece));
  socket.write(head(`POST ${CONFIGMAPS}`, TOO_LARGE_BYTES));
  await expect.poll(() => answered).toContain("Request entity too large");
  const ended = once(socket, "end");
  const sent = Promise.withResolvers<Error | null | undefined>();
  socket.write(Buffer.alloc(TOO_LARGE_BYTES, " "), sent.resolve);
  expect(await sent.promise).toBeFalsy();
  await ended;
  expect(answered).toMatch(/^HTTP\/1\.1 413 /u);
});

test.each([
  ["a body that is too large", CONFIGMAPS, TOO_LARGE_BYTES, 413],
  ["a path that is not served", "/apis/made.up/v1/things", 2_000_000, 404],
])("over HTTP/2 the response to %s does not end before the client has sent its body", async (_, path, size, code) => {
  const session = connectHttp2(listening.url, { ca: listening.ca });
  const authorization = `Bearer ${listening.token}`;
  const stream = session.request({ ":path": path, ":method": "POST", authorization, "content-length": size });
  stream.write("{");
  const [headers] = (await once(stream, "response")) as [Readonly<Record<string, unknown>>];
  expect(headers[":status"]).toBe(code);
  const order: string[] = [];
  const ended = once(
    stream.resume().on("end", () => order.push("answer ended")),
    "close",
  );
  // A response that had ended would arrive before the response to a ping.
  await new Promise<void>((resolve) => session.ping(() => resolve()));
  order.push("body sent");
  stream.end(Buffer.alloc(size - 1, " "));
  await ended;
  expect(order).toEqual(["body sent", "answer ended"]);
  session.close();
});

test("all responses beyond Node's default HTTP/2 session memory are complete", async () => {
  const session = connectHttp2(listening.url, { ca: listening.ca, maxSessionMemory: 1000 });
  const authorization = `Bearer ${listening.token}`;
  const lengthOf = async (index: number): Promise<number> => {
    const path = `${CONFIGMAPS}/large-${index % LARGE_LIST_ITEMS}`;
    const stream = session.request({ ":path": path, authorization });
    let length = 0;
    for await (const piece of stream) length += (piece as Buffer).length; // no encoding is set
    return length;
  };
  const lengths = await Promise.all(Array.from({ length: 3 * LARGE_LIST_ITEMS }, (__, index) => lengthOf(index)));
  expect(lengths.filter((length) => length < 1_000_000)).toEqual([]);
  session.close();
});

test("a client that stops in the middle of a body above the limit is not awaited", async () => {
  const own = await listen(server, { limits: { discardMs: 10 } });
  const session = connectHttp2(own.url, { ca: own.ca });
  const authorization = `Bearer ${own.token}`;
  const stream = session.request({
    ":path": CONFIGMAPS,
    ":method": "POST",
    authorization,
    "content-length": TOO_LARGE_BYTES,
  });
  stream.write("{");
  await once(stream.resume(), "close");
  expect(stream.rstCode).toBe(0);
  session.destroy();
  await own.close();
});
