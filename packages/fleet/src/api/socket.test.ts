import { gunzipSync } from "node:zlib";
import { connect } from "node:net";
import { request as httpRequest } from "node:http";
import { createLogger } from "@levelset/core";
import type { LogLine } from "@levelset/core";
import { acceptsGzip } from "@levelset/core/http";
import { describe, expect, test } from "vitest";
import { TestFleet } from "./fleet-api.fixture.ts";
import { jsonResponse } from "./route.ts";
import type { Route } from "./route.ts";

describe("over a socket", () => {
  test("large responses are compressed for clients that accept it", async () => {
    await using fleet = await TestFleet.open();
    const { port } = await fleet.api.listen();
    const id = await fleet.create("/clusters", "Cluster", "prod", { spec: { text: "x".repeat(5_000) } });
    const path = `/api/hyperfleet/v1/clusters/${id}`;
    const plain = await rawGet(port, path, {});
    const packed = await rawGet(port, path, { "accept-encoding": "br, gzip" });
    expect([plain.encoding, packed.encoding]).toEqual([undefined, "gzip"]);
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.bytes.toString());
    expect(packed.bytes.length).toBeLessThan(1_000);
    expect((await rawGet(port, "/api/hyperfleet", { "accept-encoding": "gzip" })).encoding).toBeUndefined();
  });

  test.each([
    ["gzip", true],
    ["br, GZIP;q=0.5", true],
    ["gzip;q=0", false],
    ["identity", false],
    [undefined, false],
  ])("Accept-Encoding %s allows gzip: %s", (header, expected) => {
    expect(acceptsGzip(header)).toBe(expected);
  });

  test("malformed HTTP gets a problem document and the connection is closed", async () => {
    await using fleet = await TestFleet.open();
    const { port } = await fleet.api.listen();
    const response = await rawTalk(port, "THIS IS NOT HTTP\r\n\r\n");
    expect(response).toMatch(/^HTTP\/1.1 400 [^]*application\/problem\+json[^]*"code":"HYPERFLEET-VAL-006"[^]*\}$/);
    const overflow = await rawTalk(port, `GET / HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(70_000)}\r\n\r\n`);
    expect(overflow).toMatch(/^HTTP\/1.1 431 /);
  });

  test("a request with an absolute URL is accepted", async () => {
    await using fleet = await TestFleet.open();
    const { port } = await fleet.api.listen();
    const headers = "host: x\r\nconnection: close\r\n\r\n";
    expect(await rawTalk(port, `GET http://fleet.test/api/hyperfleet HTTP/1.1\r\n${headers}`)).toMatch(
      /^HTTP\/1.1 200 /,
    );
    expect(await rawTalk(port, `GET http://fleet.test HTTP/1.1\r\n${headers}`)).toMatch(/^HTTP\/1.1 404 /);
  });

  test("an oversized body is refused so that its sender can read the response", async () => {
    await using fleet = await TestFleet.open({ api: { limits: { bodyBytesMax: 100_000 } } });
    const { url } = await fleet.api.listen();
    const send = (size: number): Promise<Response> => {
      return fetch(`${url}/api/hyperfleet/v1/clusters`, { method: "POST", body: "x".repeat(size) });
    };
    expect([(await send(99_999)).status, (await send(1_500_000)).status]).toEqual([400, 413]);
  });

  test("large pipelined writes over one connection are all stored", async () => {
    await using fleet = await TestFleet.open();
    const { port } = await fleet.api.listen();
    const body = (index: number): string =>
      JSON.stringify({ kind: "Cluster", name: `large-${index}`, spec: { text: "x".repeat(900_000) } });
    const path = "/api/hyperfleet/v1/clusters";
    const head = (line: string, length: number): string =>
      `${line} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    const writes = 20;
    const sent = Array.from({ length: writes }, (_, index) => head(`POST ${path}`, body(index).length) + body(index));
    socket.write(sent.join(""));
    const response = "HTTP/1.1 201 ";
    let created = 0;
    let rest = "";
    for await (const piece of socket) {
      const text: string = rest + (piece as string);
      created += text.split(response).length - 1;
      if (created === writes) break;
      // A status line may arrive in two chunks.
      rest = text.slice(1 - response.length);
    }
    const listed = await fleet.call("GET", `/clusters?pageSize=${writes + 1}`);
    expect(listed.json["total"]).toBe(writes);
  });

  test("a client that disconnects while sending its body causes no error", async () => {
    const refused = Promise.withResolvers<LogLine>();
    const logger = createLogger((line) => refused.resolve(line));
    await using fleet = await TestFleet.open({ logger });
    const { port } = await fleet.api.listen();
    const head = "POST /api/hyperfleet/v1/clusters HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{";
    const socket = connect(port, "127.0.0.1", () => socket.write(head, () => socket.destroy()));
    expect(await refused.promise).toMatchObject({ level: "info", fields: { status: 400, code: "VAL-006" } });
  });

  test("closing waits for requests, ends streams and refuses new requests", async () => {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const common = { method: "GET", summary: "", permission: "none", responses: [] } as const;
    const slow: Route = {
      ...common,
      path: "/slow",
      operationId: "slow",
      handle: async () => {
        entered.resolve();
        await gate.promise;
        return jsonResponse({ done: true });
      },
    };
    const endless: Route = {
      ...common,
      path: "/endless",
      operationId: "endless",
      handle: ({ signal }) =>
        Promise.resolve({
          status: 200,
          body: { kind: "stream", contentType: "text/event-stream", chunks: untilAborted(signal) },
        }),
    };
    await using fleet = await TestFleet.open({ api: { moreRoutes: () => [slow, endless], health: { port: 0 } } });
    const { url, healthUrl } = await fleet.api.listen();
    expect(await (await fetch(`${healthUrl}/healthz`)).json()).toEqual({ status: "ok" });
    expect((await fetch(`${healthUrl}/readyz`)).status).toBe(200);
    const stream = await fetch(`${url}/endless`);
    const response = fetch(`${url}/slow`);
    await entered.promise;
    const closed = fleet.api.close();
    expect((await fetch(`${healthUrl}/readyz`)).status).toBe(503);
    expect((await fleet.call("GET", "/clusters")).json["code"]).toBe("HYPERFLEET-SVC-001");
    expect(await stream.text()).toBe("first");
    gate.resolve();
    expect(await (await response).json()).toEqual({ done: true });
    await closed;
    await expect(fetch(`${url}/api/hyperfleet`)).rejects.toThrow("fetch failed");
  });

  test("a client that disconnects ends its stream", async () => {
    const ended = Promise.withResolvers<string>();
    const endless: Route = {
      method: "GET",
      path: "/endless",
      operationId: "endless",
      summary: "",
      permission: "none",
      responses: [],
      handle: ({ signal }) =>
        Promise.resolve({
          status: 200,
          body: {
            kind: "stream",
            contentType: "text/event-stream",
            chunks: untilAborted(signal, () => ended.resolve("ended")),
          },
        }),
    };
    await using fleet = await TestFleet.open({ api: { moreRoutes: () => [endless] } });
    const { port } = await fleet.api.listen();
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /endless HTTP/1.1\r\nhost: x\r\n\r\n"));
    socket.once("data", () => socket.destroy());
    expect(await ended.promise).toBe("ended");
  });

  test("a client that does not read its response is disconnected", async () => {
    const ended = Promise.withResolvers<string>();
    const flood: Route = {
      method: "GET",
      path: "/flood",
      operationId: "flood",
      summary: "",
      permission: "none",
      responses: [],
      handle: () =>
        Promise.resolve({
          status: 200,
          body: { kind: "stream", contentType: "text/plain", chunks: endlessly(() => ended.resolve("ended")) },
        }),
    };
    const limits = { requestTimeoutMs: 40, stallMs: 10 };
    await using fleet = await TestFleet.open({ api: { moreRoutes: () => [flood], limits } });
    const { port } = await fleet.api.listen();
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /flood HTTP/1.1\r\nhost: x\r\n\r\n"));
    socket.on("error", () => {}).pause();
    expect(await ended.promise).toBe("ended");
    socket.destroy();
  });
});

async function* endlessly(onEnd: () => void): AsyncGenerator<string> {
  try {
    for (;;) yield "x".repeat(65_536);
  } finally {
    onEnd();
  }
}

async function* untilAborted(signal: AbortSignal, onEnd?: () => void): AsyncGenerator<string> {
  try {
    yield "first";
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  } finally {
    onEnd?.();
  }
}

interface RawAnswer {
  readonly bytes: Buffer;
  readonly encoding: string | undefined;
}

function rawGet(port: number, path: string, headers: Record<string, string>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ port, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ bytes: Buffer.concat(chunks), encoding: response.headers["content-encoding"] }),
      );
    });
    sent.on("error", reject).end();
  });
}

function rawTalk(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
    socket.on("close", () => resolve(received)).on("error", reject);
  });
}
