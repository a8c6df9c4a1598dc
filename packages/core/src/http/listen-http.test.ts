import { Agent, request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { memoryLogger, untilIdle, VirtualClock } from "../testing/index.ts";
import { httpResponse, requestUrl } from "./http-handler.ts";
import type { HttpHandler } from "./http-handler.ts";
import { listenHttp } from "./listen-http.ts";
import type { HttpListener, HttpListenerOptions } from "./listen-http.ts";

interface OpenServer extends AsyncDisposable {
  readonly listener: HttpListener;
  readonly clock: VirtualClock;
  readonly lines: ReturnType<typeof memoryLogger>["lines"];
}

/** Serves a handler with a virtual clock: closing does not wait for the grace period. */
async function serve(handler: HttpHandler, options: Partial<HttpListenerOptions> = {}): Promise<OpenServer> {
  const { logger, lines } = memoryLogger();
  const clock = new VirtualClock();
  const listener = await listenHttp(handler, { port: 0, logger, clock, ...options });
  return { listener, clock, lines, [Symbol.asyncDispose]: () => listener.close() };
}

function open({ listener }: OpenServer, sent: string): Socket {
  const socket = connect(listener.port, "127.0.0.1").setEncoding("latin1");
  socket.on("error", () => {});
  socket.write(sent, "latin1");
  return socket;
}

const get = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

/** A stream that sends one chunk and ends with its signal. */
async function* untilAborted(signal: AbortSignal): AsyncGenerator<string> {
  yield "first";
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

test("a handler that throws gets status 500 without the text of the error, which is logged", async () => {
  await using server = await serve(() => Promise.reject(new Error("password is hunter2")));
  const response = await fetch(server.listener.url);
  expect([response.status, await response.text()]).toEqual([500, "internal error\n"]);
  expect(server.lines).toMatchObject([{ message: "request failed", fields: { err: "password is hunter2" } }]);
  expect((await fetch(server.listener.url)).status).toBe(500);
});

test("a stream that fails closes its connection, and other requests are served", async () => {
  const gate = Promise.withResolvers<void>();
  const failing = async function* (): AsyncGenerator<string> {
    yield "first";
    await gate.promise;
    throw new Error("broken");
  };
  await using server = await serve(({ url }) =>
    Promise.resolve(httpResponse(200, url.endsWith("/stream") ? failing() : "whole")),
  );
  const socket = open(server, get("/stream"));
  socket.once("data", () => gate.resolve());
  const received = await text(socket);
  expect(received).toContain("first");
  expect(received).not.toMatch(/\r\n0\r\n\r\n$/u);
  expect(await (await fetch(server.listener.url)).text()).toBe("whole");
});

test("header values beyond ASCII are read and sent as UTF-8", async () => {
  await using server = await serve(({ headers }) =>
    Promise.resolve(httpResponse(200, "", { "x-name": headers.get("x-name") ?? "" })),
  );
  const name = Buffer.from("Jörg 😀 日本").toString("latin1");
  const response = await text(open(server, get("/", `x-name: ${name}\r\nconnection: close\r\n`)));
  expect(response).toMatch(/^HTTP\/1.1 200 /u);
  expect(response).toContain(`x-name: ${name}\r\n`);
});

test("several cookies are sent as several headers", async () => {
  const headers = new Headers();
  for (const cookie of ["a=1", "b=2"]) headers.append("set-cookie", cookie);
  await using server = await serve(() => Promise.resolve(new Response("", { headers })));
  expect((await fetch(server.listener.url)).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
});

test("a malformed request during a stream closes the connection without a second response", async () => {
  await using server = await serve(({ signal }) => Promise.resolve(httpResponse(200, untilAborted(signal))), {
    clientError: () => httpResponse(400, "malformed"),
  });
  expect(await text(open(server, "NOT HTTP\r\n\r\n"))).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[^]*\r\n\r\nmalformed$/u);
  const socket = open(server, get("/"));
  socket.once("data", () => socket.write("NOT HTTP\r\n\r\n"));
  const received = await text(socket);
  expect(received).toContain("first");
  expect(received).not.toContain("malformed");
});

test("a rejected body is discarded, and the next request on the connection is read", async () => {
  await using server = await serve(({ method }) => Promise.resolve(httpResponse(method === "POST" ? 403 : 200, "")));
  const body = "x".repeat(3_000_000);
  const post = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const received = await text(open(server, post + get("/", "connection: close\r\n")));
  expect(received.match(/^HTTP\/1.1 \d+/gmu)).toEqual(["HTTP/1.1 403", "HTTP/1.1 200"]);
});

test("close ends streams and idle connections at once, and waits for other requests", async () => {
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const server = await serve(async ({ url, signal }) => {
    if (url.endsWith("/stream")) return httpResponse(200, untilAborted(signal));
    if (url.endsWith("/idle")) return httpResponse(200, "idle");
    entered.resolve();
    await gate.promise;
    return httpResponse(200, "x".repeat(2_000_000));
  });
  const agent = new Agent({ keepAlive: true });
  const idle = await new Promise<IncomingMessage>((resolve) =>
    httpRequest(`${server.listener.url}/idle`, { agent }, resolve).end(),
  );
  expect(await text(idle)).toBe("idle");
  const stream = await fetch(`${server.listener.url}/stream`);
  const running = fetch(`${server.listener.url}/running`);
  await entered.promise;
  const closed = server.listener.close();
  expect(await stream.text()).toBe("first");
  gate.resolve();
  expect((await (await running).text()).length).toBe(2_000_000);
  await closed;
  expect([server.listener.connections, server.clock.nextTimerAt]).toEqual([0, undefined]);
  agent.destroy();
});

test("a stream that begins while the server closes ends at once", async () => {
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const server = await serve(async ({ signal }) => {
    entered.resolve();
    await gate.promise;
    return httpResponse(200, untilAborted(signal));
  });
  const response = fetch(server.listener.url);
  await entered.promise;
  const closed = server.listener.close();
  gate.resolve();
  expect((await response).status).toBe(200);
  await closed;
});

test("requests that wait for an earlier one are released when their client disconnects", async () => {
  const signals: AbortSignal[] = [];
  const server = await serve(({ signal }) => {
    signals.push(signal);
    return Promise.resolve(httpResponse(200, untilAborted(signal)));
  });
  const socket = open(server, get("/") + get("/") + get("/"));
  await expect.poll(() => signals.length).toBe(3);
  socket.destroy();
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  await server.listener.close();
  await untilIdle();
  expect(server.listener.connections).toBe(0);
});

test("a port that is in use is reported with its address", async () => {
  await using server = await serve(() => Promise.resolve(httpResponse(200, "")));
  const { port } = server.listener;
  await expect(serve(() => Promise.reject(new Error("unused")), { port })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: listen EADDRINUSE`,
  );
});

test.each([
  ["http://localhost/a?b", "/a"],
  ["http://other.test/a", "/a"],
  ["http://localhost//evil.test/", "/"],
  ["http://localhost//", undefined],
  ["http://[", undefined],
])("the path of a request to %s is %s", (url, path) => {
  expect(requestUrl({ url })?.pathname).toBe(path);
});
