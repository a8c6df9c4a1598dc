import { connect } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { API_BASE, FleetHttpClient } from "../../../support/fleet/http.ts";
import type { RunningFleet, StartFleet } from "../../../support/fleet/running-fleet.ts";
import { describeOn } from "./suite.ts";
import type { Shared } from "./suite.ts";

/** HTTP protocol handling. */
export function describeProtocol(start: StartFleet): void {
  describeOn("HTTP", start, (shared) => {
    describeTargets(shared);
    describeAnswers(shared);
  });
}

/** Sends bytes and reads until the server closes the connection. */
async function sendBytes({ url }: RunningFleet, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(bytes);
  return await text(socket);
}

function describeTargets(shared: () => Shared): void {
  test("a trailing slash and an absolute URL lead to the same resource", async () => {
    const { user } = shared();
    const cluster = await user.cluster();
    for (const path of [`${cluster.href}/`, `http://proxy.example${cluster.href}`, `${cluster.href}?`]) {
      expect((await user.http.get(path)).json).toEqual(cluster);
    }
  });

  test("undecodable and repeated parameters are refused by name", async () => {
    const { user } = shared();
    for (const path of [
      `${API_BASE}/clusters/%zz`,
      `${API_BASE}/clusters/%c0%ae`,
      `${API_BASE}/clusters?search=%zz`,
      `${API_BASE}/clusters/a%00b`,
    ]) {
      expect([path, (await user.http.get(path)).problem.status]).toEqual([path, 400]);
    }
    const twice = await user.http.get(`${API_BASE}/clusters?size=1&size=2`);
    expect(twice.problemSummary).toBe("400 VAL-000");
    expect(twice.problem.errors?.map(({ field }) => field)).toEqual(["size"]);
  });

  test("malformed HTTP is answered with a problem document", async () => {
    const { fleet } = shared();
    for (const [bytes, status] of [
      ["nonsense\r\n\r\n", 400],
      [`GET ${API_BASE}/clusters HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(100_000)}\r\n\r\n`, 431],
      [
        `POST ${API_BASE}/clusters HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        400,
      ],
    ] as const) {
      const [head = "", body = ""] = (await sendBytes(fleet, bytes)).split("\r\n\r\n");
      expect(head).toContain(`HTTP/1.1 ${status} `);
      expect(head).toContain("application/problem+json");
      expect(JSON.parse(body)).toMatchObject({ status, code: expect.stringMatching(/^HYPERFLEET-/u) });
    }
  });
}

function describeAnswers(shared: () => Shared): void {
  test("a large response is compressed on request, with the same content", async () => {
    const { user } = shared();
    const cluster = await user.cluster({ spec: { text: "x".repeat(4_000) } });
    const packed = await user.http.open("GET", cluster.href, undefined, { "accept-encoding": "br, gzip;q=0.5" });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(JSON.parse(gunzipSync(await buffer(packed)).toString())).toEqual(cluster);
    const plain = await user.http.get(cluster.href, { "accept-encoding": "gzip;q=0, identity" });
    expect([plain.headers["content-encoding"], plain.json]).toEqual([undefined, cluster]);
  });

  test("HEAD of a watch has its headers, and opens none", async () => {
    const { user, fleet } = shared();
    const head = await user.http.send("HEAD", `${API_BASE}/clusters?watch=true`);
    expect([head.status, head.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    using metrics = new FleetHttpClient(fleet.metricsUrl);
    expect((await metrics.get("/metrics")).text).toMatch(/^hyperfleet_api_watchers\{[^}]*\} 0$/mu);
  });
}
