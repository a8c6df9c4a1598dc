import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryLogger, seededRandom } from "@levelset/core/testing";
import { call } from "./client.fixture.ts";
import { createApiServer } from "./api-server.ts";
import { listen } from "./listen.ts";
import type { ListeningServer } from "./listen.ts";

const CONFIGMAPS = "/api/v1/namespaces/default/configmaps";
const { logger, lines } = memoryLogger();
const server = createApiServer({ logger });
let listening: ListeningServer;

beforeAll(async () => {
  listening = await listen(server, { logger });
});

afterAll(async () => {
  await listening.close();
  server.close();
});

/** A client that is still sending when the server closes may lose the response. */
const TOO_LARGE = /^(?:HTTP\/1\.1 431 |$)/u;

/** A connection after the TLS handshake. */
async function tls(protocol: "http/1.1" | "h2" = "http/1.1", to: ListeningServer = listening): Promise<Socket> {
  const socket = connectTls({ port: to.port, host: "127.0.0.1", ca: to.ca, ALPNProtocols: [protocol] });
  socket.on("error", () => {});
  await once(socket, "secureConnect");
  return socket;
}

/** Returns all bytes that the server sends until it closes the connection. */
async function answerTo(socket: Socket, ...sent: readonly (string | Uint8Array)[]): Promise<string> {
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  for (const part of sent) socket.write(part);
  await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

/** Returns leaked connections, watches, requests and log lines. Must be empty. */
async function leaks(): Promise<readonly string[]> {
  await expect.poll(() => listening.connections).toBe(0);
  const { text } = await call(listening, "/metrics");
  // The metrics request itself is in flight, too.
  const busy = text.match(/^apiserver_(?:current_inflight|longrunning)_requests\{.*[^0]$/gmu) ?? [];
  const errors = lines.filter(({ level }) => level === "error").map(({ message }) => message);
  return [...busy.filter((line) => !line.endsWith('{request_kind="readOnly"} 1')), ...errors];
}

function noise(seed: number, length: number): Uint8Array {
  const random = seededRandom(seed);
  return Uint8Array.from({ length }, () => Math.floor(random.next() * 256));
}

test("garbage before, instead of and within TLS", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const plain = connectTcp(listening.port, "127.0.0.1");
    plain.on("error", () => {});
    await answerTo(plain, noise(seed, 500));
    const wrapped = await tls(seed % 2 === 0 ? "h2" : "http/1.1");
    await answerTo(wrapped, noise(seed, 500), "\r\n\r\n");
  }
  expect(await leaks()).toEqual([]);
});

test.each([
  ["an unknown method", "BREW / HTTP/1.1\r\nHost: x\r\n\r\n", /^HTTP\/1\.1 400 /u],
  ["no host", "GET / HTTP/1.1\r\n\r\n", /^HTTP\/1\.1 400 /u],
  ["another protocol", "EHLO example.test\r\n\r\n", /^HTTP\/1\.1 400 /u],
  ["an invalid path", "GET http://evil.test/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 400 /u],
  ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", /^HTTP\/1\.1 400 /u],
  [
    "a length and chunks",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    /^HTTP\/1\.1 400 /u,
  ],
  ["a header that is too long", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(1_100_000)}\r\n\r\n`, TOO_LARGE],
  ["a path that is too long", `GET /${"y".repeat(1_100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, TOO_LARGE],
])("a request with %s is rejected, and the connection closed", async (_what, request, result) => {
  expect(await answerTo(await tls(), request)).toMatch(result);
  expect(await leaks()).toEqual([]);
});

test("incomplete handshakes, headers and bodies time out", async () => {
  // The connections of the second listener complete their handshakes, which takes longer on a busy machine.
  const hasty = await listen(server, { logger, limits: { handshakeMs: 400 } });
  const strict = await listen(server, { logger, limits: { headersMs: 400, requestMs: 600 } });
  const idle = connectTcp(hasty.port, "127.0.0.1");
  idle.on("error", () => {});
  const hungUp = answerTo(idle);
  const authorization = `Authorization: Bearer ${strict.token}\r\n`;
  const head = `POST ${CONFIGMAPS} HTTP/1.1\r\nHost: x\r\n${authorization}Content-Length: 100\r\n`;
  const sockets = await Promise.all([tls("http/1.1", strict), tls("http/1.1", strict), tls("http/1.1", strict)]);
  const halves = ["GET / HT", head, `${head}\r\n{"metadata":`];
  const answers = await Promise.all(sockets.map((socket, index) => answerTo(socket, halves[index] ?? "")));
  expect(answers.map((text) => text.slice(0, 12))).toEqual(["HTTP/1.1 408", "HTTP/1.1 408", "HTTP/1.1 408"]);
  expect(await hungUp).toBe("");
  await Promise.all([hasty.close(), strict.close()]);
  expect(await leaks()).toEqual([]);
});

test("clients that disconnect at any point leak nothing", async () => {
  const authorization = `Bearer ${listening.token}`;
  const heads = [
    `GET ${CONFIGMAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`,
    `GET ${CONFIGMAPS}?watch=true HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`,
    `POST ${CONFIGMAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 50\r\n\r\n{"meta`,
  ];
  for (let round = 0; round < 20; round++) {
    for (const head of heads) {
      const socket = await tls();
      const written = new Promise((resolve) => socket.write(head, resolve));
      if (round % 2 === 0) await written;
      socket.destroy();
    }
    const session = connectHttp2(listening.url, { ca: listening.ca });
    session.on("error", () => {});
    for (const method of ["GET", "POST"]) {
      const stream = session.request({ ":path": `${CONFIGMAPS}?watch=1`, ":method": method, authorization });
      stream.on("error", () => {});
      if (method === "POST") stream.write("{");
      if (round % 2 === 0) stream.close(8);
    }
    if (round % 3 === 0) await once(session, "connect");
    session.destroy();
  }
  expect(await leaks()).toEqual([]);
});
