import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { serveEndpoints } from "./endpoints.ts";
import type { EndpointSources } from "./endpoints.ts";

const SOURCES: EndpointSources = { problems: () => [], runs: () => ({ controllers: [], runs: [] }) };

/** Sends a request with an unescaped target and returns the first line of the response. */
async function ask(url: string, target: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  const [line = ""] = (await text(socket)).split("\r\n", 1);
  return line;
}

describe("the endpoints of an operator", () => {
  test.for(["//", "http://", "http://[/healthz"])("survive the invalid request target %s", async (target) => {
    const endpoints = await serveEndpoints({ port: 0 }, SOURCES);
    expect(await ask(endpoints.url, target)).toBe("HTTP/1.1 400 Bad Request");
    expect(await ask(endpoints.url, "/healthz")).toBe("HTTP/1.1 200 OK");
    await endpoints.close();
  });

  test("report an error of the metrics, and continue to serve", async () => {
    const metrics = () => Promise.reject(new Error("a metric is broken"));
    const endpoints = await serveEndpoints({ port: 0 }, { ...SOURCES, metrics });
    const response = await fetch(`${endpoints.url}/metrics`);
    expect([response.status, await response.text()]).toEqual([500, "a metric is broken\n"]);
    expect(await ask(endpoints.url, "/healthz")).toBe("HTTP/1.1 200 OK");
    await endpoints.close();
  });
});
