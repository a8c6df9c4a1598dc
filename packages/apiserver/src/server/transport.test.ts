import { once } from "node:events";
import { connect } from "node:http2";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./client.fixture.ts";
import { createApiServer } from "./api-server.ts";
import { listen } from "./listen.ts";
import type { ListeningServer } from "./listen.ts";

const CONFIGMAPS = "/api/v1/namespaces/default/configmaps";
const server = createApiServer();
let listening: ListeningServer;

beforeAll(async () => {
  listening = await listen(server);
  const large = JSON.stringify({ metadata: { name: "large" }, data: { text: "é".repeat(100_000) } });
  await call(listening, CONFIGMAPS, { method: "POST", body: large });
});

afterAll(async () => {
  await listening.close();
  server.close();
});

test("every response has Cache-Control and Audit-Id headers", async () => {
  for (const path of ["/healthz", CONFIGMAPS, "/nowhere"]) {
    const { headers } = await call(listening, path);
    expect(headers["cache-control"]).toBe("no-cache, private");
    expect(headers["audit-id"]).toMatch(/^[0-9a-f-]{36}$/u);
    expect(headers["content-length"]).toMatch(/^\d+$/u);
  }
  const { headers } = await call(listening, CONFIGMAPS, { headers: { "audit-id": "mine" } });
  expect(headers["audit-id"]).toBe("mine");
});

test("an Audit-Id beyond ASCII is returned as it was sent", async () => {
  const sent = Buffer.from("日本").toString("latin1");
  const body = Buffer.from('{"metadata":{"name":"audited"}}'); // with a byte body, Node sends a header character as one byte
  const { code, headers } = await call(listening, `${CONFIGMAPS}?dryRun=All`, {
    method: "POST",
    body,
    headers: { "audit-id": sent },
  });
  expect([code, headers["audit-id"]]).toEqual([201, sent]);
});

test.each([
  ["gzip", "gzip"],
  ["deflate, gzip", "gzip"],
  ["identity", undefined],
  ["*", undefined],
  ["gzip;q=0", undefined],
])("a large response to a client that accepts %s is encoded as %s", async (accepted, encoding) => {
  const plain = await call(listening, `${CONFIGMAPS}/large`);
  for (const path of [`${CONFIGMAPS}/large`, CONFIGMAPS]) {
    const { bytes, headers } = await call(listening, path, { headers: { "accept-encoding": accepted } });
    expect(headers["content-encoding"]).toBe(encoding);
    expect(headers.vary).toBe(encoding === undefined ? undefined : "Accept-Encoding");
    const text = (encoding === undefined ? bytes : gunzipSync(bytes)).toString("utf8");
    const item = path === CONFIGMAPS ? (JSON.parse(text) as { items: unknown[] }).items[0] : JSON.parse(text);
    expect(item).toMatchObject({ data: (JSON.parse(plain.text) as { data: unknown }).data });
  }
});

test("small responses and watches are never compressed", async () => {
  const headers = { "accept-encoding": "gzip" };
  const small = await call(listening, "/api/v1/namespaces/default", { headers });
  expect(small.headers["content-encoding"]).toBeUndefined();
  const watch = await call(listening, `${CONFIGMAPS}?watch=true&timeoutSeconds=1`, { headers });
  expect(watch.headers["content-encoding"]).toBeUndefined();
  expect(watch.text).toContain('"type":"ADDED"');
});

test("a body above the limit returns 413 over both versions of HTTP, before it is completely sent", async () => {
  const body = Buffer.alloc(3 * 1024 * 1024 + 1, " ");
  const own = await listen(server, { limits: { discardMs: 60_000 } });
  const { code, text } = await call(own, CONFIGMAPS, { method: "POST", body });
  await own.close();
  expect(code).toBe(413);
  expect(JSON.parse(text)).toMatchObject({
    reason: "RequestEntityTooLarge",
    message: "Request entity too large: limit is 3145728",
  });
  const session = connect(listening.url, { ca: listening.ca });
  const authorization = `Bearer ${listening.token}`;
  const stream = session.request({
    ":path": CONFIGMAPS,
    ":method": "POST",
    authorization,
    "content-length": 9_000_000,
  });
  stream.write("{");
  const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
  expect(headers[":status"]).toBe(413);
  stream.resume();
  await once(stream, "close");
  const next = session.request({ ":path": "/healthz" });
  const [after] = (await once(next, "response")) as [Record<string, unknown>];
  expect(after[":status"]).toBe(200);
  session.destroy();
});

test.each(["HEAD", "OPTIONS", "TRACE", "PUT"])("%s of a collection returns 405 with a Status", async (method) => {
  const { code, text, headers } = await call(listening, CONFIGMAPS, { method });
  expect([code, headers["content-type"]]).toEqual([405, "application/json"]);
  const notAllowed = /the server does not allow this method on the requested resource/u;
  expect(text).toMatch(method === "HEAD" ? /^$/u : notAllowed);
});

test("health accepts any method, single checks and verbose output", async () => {
  const head = await call(listening, "/healthz", { method: "HEAD" });
  expect([head.code, head.text, head.headers["content-length"]]).toEqual([200, "", "2"]);
  expect((await call(listening, "/livez/ping")).text).toBe("ok");
  expect((await call(listening, "/readyz/etcd")).text).toBe("ok");
  expect((await call(listening, "/livez/nothing")).code).toBe(404);
  const verbose = await call(listening, "/readyz?verbose&exclude=log&exclude=x", { token: "" });
  expect(verbose.text).toContain("[+]ping ok\n[+]log excluded: ok\n[+]etcd ok\n");
  expect(verbose.text).toContain('warn: some health checks cannot be excluded: no matches for "x"\n');
  expect(verbose.text).toMatch(/readyz check passed\n$/u);
  expect((await call(listening, "/livez/ping", { token: "" })).code).toBe(401);
});

test("a closed server is not healthy, and names the failed check", async () => {
  const own = createApiServer();
  const ask = (): Promise<Response> => own.fetch(new Request("http://cluster.invalid/readyz"));
  expect((await ask()).status).toBe(200);
  own.close();
  const response = await ask();
  expect(response.status).toBe(500);
  expect(await response.text()).toContain("[-]shutdown failed: reason withheld\nreadyz check failed\n");
});

test("metrics count requests by resource and result, and need credentials", async () => {
  await call(listening, `${CONFIGMAPS}/absent`);
  await call(listening, "/apis/made.up/v1/things");
  const { text, headers, code } = await call(listening, "/metrics");
  expect([code, headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  expect(text).toMatch(
    /^apiserver_request_total\{code="404",verb="GET",group="",version="v1",resource="configmaps",subresource="",scope="resource"\} [1-9]/mu,
  );
  expect(text).toMatch(/^apiserver_request_duration_seconds_bucket\{verb="GET",.*le="\+Inf"\} [1-9]/mu);
  expect(text).toMatch(/^levelset_store_revision [1-9]/mu);
  expect(text).toMatch(/^levelset_connections\{port="\d+"\} [1-9]/mu);
  expect(text).not.toContain("made.up");
  expect((await call(listening, "/metrics", { token: "" })).code).toBe(401);
});

test("a request in flight when the server closes still gets its response", async () => {
  const own = await listen(server, { limits: { graceMs: 60_000 } });
  const session = connect(own.url, { ca: own.ca });
  session.on("error", () => {});
  const headers = { ":path": `${CONFIGMAPS}?dryRun=All`, ":method": "POST", authorization: `Bearer ${own.token}` };
  const stream = session.request(headers);
  stream.write('{"metadata":');
  const ping = session.request({ ":path": "/healthz" });
  await once(ping, "response");
  const closed = own.close();
  stream.end('{"name":"last"}}');
  const [result] = (await once(stream, "response")) as [Record<string, unknown>];
  expect(result[":status"]).toBe(201);
  stream.resume();
  await closed;
});

test("over HTTP/2, responses with and without a body end, and the connection stays usable", async () => {
  const session = connect(listening.url, { ca: listening.ca });
  const ask = async (method: string, path: string, etag = ""): Promise<readonly [unknown, unknown, number]> => {
    const stream = session.request({
      ":method": method,
      ":path": path,
      authorization: `Bearer ${listening.token}`,
      "if-none-match": etag,
    });
    const [headers] = (await once(stream, "response")) as [Readonly<Record<string, unknown>>];
    let size = 0;
    for await (const chunk of stream) size += (chunk as Buffer).length; // no encoding is set
    return [headers[":status"], headers["etag"], size];
  };
  const [code, etag, size] = await ask("GET", "/openapi/v3/api/v1");
  expect([code, size > 0]).toEqual([200, true]);
  expect(await ask("HEAD", "/openapi/v3/api/v1")).toEqual([200, etag, 0]);
  expect(await ask("GET", "/openapi/v3/api/v1", String(etag))).toEqual([304, etag, 0]);
  expect(await ask("GET", "/openapi/v3/api/v1")).toEqual([200, etag, size]);
  session.close();
  await once(session, "close");
});
