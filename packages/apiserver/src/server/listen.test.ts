import { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { connect } from "node:http2";
import type { ClientHttp2Session } from "node:http2";
import { request as httpsRequest } from "node:https";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { servingCertificate } from "./certificate.ts";
import { call as callOn } from "./client.fixture.ts";
import type { ClientResponse, CallOptions } from "./client.fixture.ts";
import { createApiServer } from "./api-server.ts";
import { listen } from "./listen.ts";
import type { ListeningServer } from "./listen.ts";

const NAMESPACES = "/api/v1/namespaces";
const CONFIGMAPS = "/api/v1/namespaces/default/configmaps";
const server = createApiServer();
let listening: ListeningServer;

beforeAll(async () => {
  listening = await listen(server);
});

afterAll(async () => {
  await listening.close();
  server.close();
});

function call(path: string, options: CallOptions = {}): Promise<ClientResponse> {
  return callOn(listening, path, options);
}

function session(): ClientHttp2Session {
  return connect(listening.url, { ca: listening.ca });
}

const http2Headers = (path: string, token = listening.token): Record<string, string> => ({
  ":path": path,
  authorization: `Bearer ${token}`,
});

test("HTTP/1.1 over TLS with the published CA certificate", async () => {
  const { code, version, text } = await call(NAMESPACES);
  expect([code, version]).toEqual([200, "1.1"]);
  expect(JSON.parse(text)).toMatchObject({ kind: "NamespaceList" });
});

test("HTTP/2 on the same port, bodies in both directions", async () => {
  const client = session();
  const stream = client.request({ ...http2Headers(CONFIGMAPS), ":method": "POST", "content-type": "application/json" });
  stream.end(JSON.stringify({ metadata: { name: "h2" }, data: { large: "x".repeat(500_000) } }));
  const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  expect(headers[":status"]).toBe(201);
  expect(text.length).toBeGreaterThan(500_000);
  client.close();
});

test.each(["", "wrong", "x".repeat(43)])("the token %j has access to health and version at most", async (token) => {
  // Requests without credentials may read these; invalid credentials are rejected everywhere.
  for (const path of ["/healthz", "/livez", "/readyz", "/version"])
    expect((await call(path, { token })).code).toBe(token === "" ? 200 : 401);
  for (const path of [NAMESPACES, "/api", "/openapi/v3", "/nowhere", "/healthz/x"]) {
    const { code, text } = await call(path, { token });
    expect(code).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ kind: "Status", reason: "Unauthorized", code: 401 });
  }
  const write = await call(CONFIGMAPS, { token, method: "POST", body: '{"metadata":{"name":"stolen"}}' });
  expect(write.code).toBe(401);
});

test.each(["1.1", "2"])(
  "a watch over HTTP/%s starts at once, delivers events live and is released on disconnect",
  async (version) => {
    const opened = version === "2" ? watchOverHttp2() : watchOverHttp1();
    const { chunks, close } = await opened;
    const name = `live-${version.replace(".", "-")}`;
    await call(CONFIGMAPS, { method: "POST", body: JSON.stringify({ metadata: { name } }) });
    let text = "";
    for await (const chunk of chunks) {
      text += String(chunk);
      if (text.includes(`"name":"${name}"`)) break;
    }
    expect(text).toContain('"type":"ADDED"');
    close();
  },
);

async function watchOverHttp1(): Promise<{ readonly chunks: AsyncIterable<unknown>; readonly close: () => void }> {
  const headers = { authorization: `Bearer ${listening.token}` };
  const request = httpsRequest(`${listening.url}${CONFIGMAPS}?watch=true`, { ca: listening.ca, headers, agent: false });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { chunks: response.setEncoding("utf8"), close: () => request.destroy() };
}

async function watchOverHttp2(): Promise<{ readonly chunks: AsyncIterable<unknown>; readonly close: () => void }> {
  const client = session();
  const stream = client.request(http2Headers(`${CONFIGMAPS}?watch=true`));
  await once(stream, "response");
  return { chunks: stream.setEncoding("utf8"), close: () => client.destroy() };
}

test("close ends connections with running watches without waiting for them", async () => {
  // If close waited for the watch, this test would time out.
  const own = await listen(server, { limits: { graceMs: 600_000 } });
  const client = connect(own.url, { ca: own.ca });
  client.on("error", () => {});
  const stream = client.request({ ":path": `${CONFIGMAPS}?watch=true`, authorization: `Bearer ${own.token}` });
  stream.on("error", () => {});
  await once(stream, "response");
  await own.close();
  expect(stream.closed).toBe(true);
});

test("the kubeconfig contains URL, CA and token, and the server listens on loopback only", () => {
  const config = JSON.parse(listening.kubeconfig()) as Record<string, unknown>;
  expect(config).toMatchObject({
    "current-context": "levelset",
    clusters: [{ cluster: { server: listening.url } }],
    users: [{ user: { token: listening.token } }],
  });
  expect(listening.url).toBe(`https://127.0.0.1:${listening.port}`);
});

test("the certificate is signed by its CA and valid for the loopback names", () => {
  const now = Date.UTC(2026, 5, 1);
  const { ca, cert } = servingCertificate(now, ["example.test"]);
  const [authority, serving] = [new X509Certificate(ca), new X509Certificate(cert)];
  expect(serving.verify(authority.publicKey)).toBe(true);
  expect(authority.verify(authority.publicKey)).toBe(true);
  expect([authority.ca, serving.ca]).toEqual([true, false]);
  expect(serving.checkHost("localhost")).toBe("localhost");
  expect(serving.checkHost("example.test")).toBe("example.test");
  expect(serving.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(serving.checkIP("::1")).toBe("::1");
  expect(serving.checkIP("10.0.0.1")).toBeUndefined();
  expect(new Date(serving.validTo).getTime()).toBeGreaterThan(now);
});
