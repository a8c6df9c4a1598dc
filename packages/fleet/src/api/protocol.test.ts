import { memoryLogger } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { StoreUnavailableError } from "../store/index.ts";
import { TestFleet, bodyText } from "./fleet-api.fixture.ts";
import type { Route } from "./route.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("paths and methods", () => {
  test("every response has a server-generated request ID and a Vary header", async () => {
    await using fleet = await TestFleet.open();
    const first = await fleet.call("GET", "/clusters", undefined, { "x-request-id": "mine" });
    const second = await fleet.call("GET", "/nope");
    expect(first.headers.get("x-request-id")).toMatch(UUID_V7);
    expect(first.headers.get("vary")).toContain("Authorization");
    expect(second.json["trace_id"]).toBe(second.headers.get("x-request-id"));
    expect(second.json["trace_id"]).not.toBe(first.headers.get("x-request-id"));
  });

  test.each([
    ["GET", "//api/hyperfleet", 200, undefined],
    ["GET", "/clusters/", 200, undefined],
    ["GET", "/nope", 404, "NTF-000"],
    ["GET", "//", 404, "NTF-000"],
    ["GET", "/clusters//statuses", 404, "NTF-000"],
    ["GET", "/clusters/x", 404, "NTF-001"],
    ["GET", "/clusters/x/nodepools", 404, "NTF-001"],
    ["GET", "/clusters/%zz", 400, "VAL-005"],
    ["GET", "/clusters/%00", 400, "VAL-005"],
    ["GET", "/clusters?search=%zz", 400, "VAL-005"],
    ["GET", "/clusters?search=%00", 400, "VAL-005"],
    ["GET", "/clusters/%ED%A0%80", 400, "VAL-005"],
    ["GET", "/clusters?search=%ED%A0%80", 400, "VAL-005"],
    ["GET", "/clusters?%ff=1", 400, "VAL-005"],
    ["PUT", "/clusters", 405, "VAL-008"],
    ["OPTIONS", "/clusters", 405, "VAL-008"],
    ["POST", "/clusters/x", 405, "VAL-008"],
  ])("%s %s responds with %i", async (method, path, status, code) => {
    await using fleet = await TestFleet.open();
    const response = await fleet.call(method, path);
    expect([response.status, response.json["code"]]).toEqual([status, code && `HYPERFLEET-${code}`]);
    const type = code === undefined ? "application/json" : "application/problem+json";
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("allow")?.includes("GET, HEAD")).toBe(status === 405 ? true : undefined);
  });

  test("a resource is only found under its own kind and parent", async () => {
    await using fleet = await TestFleet.open();
    const one = await fleet.create("/clusters", "Cluster", "one");
    const two = await fleet.create("/clusters", "Cluster", "two");
    const pool = await fleet.create(`/clusters/${one}/nodepools`, "NodePool", "pool");
    const found = async (path: string): Promise<number> => (await fleet.call("GET", path)).status;
    expect(await found(`/nodepools/${pool}`)).toBe(200);
    expect(await found(`/resources/${pool}`)).toBe(200);
    expect(await found(`/clusters/${one}/nodepools/${pool}`)).toBe(200);
    expect(await found(`/clusters/${two}/nodepools/${pool}`)).toBe(404);
    expect(await found(`/clusters/${pool}`)).toBe(404);
    const disk = await fleet.create(`/nodepools/${pool}/disks`, "Disk", "d");
    expect(await found(`/clusters/${one}/nodepools/${pool}/disks/${disk}`)).toBe(200);
    expect(await found(`/clusters/${two}/nodepools/${pool}/disks/${disk}`)).toBe(404);
    expect(await found(`/clusters/${two}/nodepools/${pool}/disks`)).toBe(404);
  });

  test("HEAD opens no watch", async () => {
    const watch = (): Promise<never> => Promise.reject(new Error("a watch was opened"));
    await using fleet = await TestFleet.open({ api: { watcher: { watch } } });
    const { status, headers } = await fleet.call("HEAD", "/clusters?watch=true");
    expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  });

  test("HEAD is GET without a body", async () => {
    await using fleet = await TestFleet.open();
    const id = await fleet.create("/clusters", "Cluster", "prod");
    const head = await fleet.call("HEAD", `/clusters/${id}`);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("etag")).toBe((await fleet.call("GET", `/clusters/${id}`)).headers.get("etag"));
  });
});

describe("versions", () => {
  test("an unchanged resource is not sent again; a report changes it", async () => {
    await using fleet = await TestFleet.open();
    const path = `/clusters/${await fleet.create("/clusters", "Cluster", "prod")}`;
    const etag = (await fleet.call("GET", path)).headers.get("etag") ?? "";
    const again = async (tag: string): Promise<number> => {
      return (await fleet.call("GET", path, undefined, { "if-none-match": tag })).status;
    };
    expect([await again(etag), await again(`"x", W/${etag}`), await again("*"), await again('"1.9"')]).toEqual([
      304, 304, 304, 200,
    ]);
    await fleet.report(path, "dns", 1, "True");
    expect(await again(etag)).toBe(200);
  });

  test("a conditional change depends on the generation, not on reports in between", async () => {
    await using fleet = await TestFleet.open();
    const path = `/clusters/${await fleet.create("/clusters", "Cluster", "prod")}`;
    const etag = (await fleet.call("GET", path)).headers.get("etag") ?? "";
    await fleet.report(path, "dns", 1, "True");
    const first = await fleet.call("PATCH", path, { labels: { a: "1" } }, { "if-match": etag });
    expect([first.status, first.headers.get("etag")]).toEqual([
      200,
      (await fleet.call("GET", path)).headers.get("etag"),
    ]);
    const stale = await fleet.call("PATCH", path, { labels: { a: "2" } }, { "if-match": etag });
    expect([stale.status, stale.json["code"]]).toEqual([412, "HYPERFLEET-CNF-002"]);
    expect((await fleet.call("DELETE", path, undefined, { "if-match": '"mine"' })).status).toBe(412);
    expect((await fleet.call("DELETE", path, undefined, { "if-match": "*" })).status).toBe(202);
    const force = await fleet.call("POST", `${path}/force-delete`, { reason: "x" }, { "if-match": etag });
    expect(force.status).toBe(412);
  });
});

describe("idempotency keys", () => {
  test("a request is executed once and gets the same response every time", async () => {
    await using fleet = await TestFleet.open();
    const headers = { "idempotency-key": "k1" };
    const body = { kind: "Cluster", name: "prod", spec: {} };
    const first = await fleet.call("POST", "/clusters", body, headers);
    const path = `/clusters/${bodyText(first, "id")}`;
    await fleet.call("PATCH", path, { labels: { a: "b" } });
    const second = await fleet.call("POST", "/clusters", body, headers);
    expect([second.status, second.json, second.headers.get("etag")]).toEqual([
      201,
      first.json,
      first.headers.get("etag"),
    ]);
    expect([first, second].map((response) => response.headers.get("idempotency-replayed"))).toEqual([null, "true"]);
    const other = await fleet.call("POST", "/clusters", { ...body, name: "other" }, headers);
    expect([other.status, other.json["errors"]]).toEqual([
      422,
      [expect.objectContaining({ field: "Idempotency-Key" })],
    ]);
    const elsewhere = await fleet.call("PATCH", path, { labels: { c: "d" } }, headers);
    expect([elsewhere.status, elsewhere.json["generation"]]).toEqual([200, 3]);
    expect((await fleet.call("PATCH", path, { labels: { c: "d" } }, headers)).headers.get("idempotency-replayed")).toBe(
      "true",
    );
    expect((await fleet.call("POST", "/clusters", body, { "idempotency-key": "" })).status).toBe(400);
  });

  test("two concurrent requests with one key create one resource", async () => {
    await using fleet = await TestFleet.open();
    const send = () =>
      fleet.call("POST", "/clusters", { kind: "Cluster", name: "prod", spec: {} }, { "idempotency-key": "k" });
    const responses = await Promise.all([send(), send(), send()]);
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  });

  test("a repeated deletion gets the same response after the resource is removed", async () => {
    await using fleet = await TestFleet.open();
    const path = `/channels/${await fleet.create("/channels", "Channel", "stable")}`;
    const first = await fleet.call("DELETE", path, undefined, { "idempotency-key": "d" });
    const second = await fleet.call("DELETE", path, undefined, { "idempotency-key": "d" });
    expect([first.status, second.status, second.json]).toEqual([202, 202, first.json]);
  });
});

describe("bodies", () => {
  test.each([
    ["", 400, "VAL-006"],
    ["  ", 400, "VAL-006"],
    ["{", 400, "VAL-006"],
    ['{"kind":"Cluster","name":"a\\u0000","spec":{}}', 400, "VAL-006"],
    ['{"kind":"Cluster","name":"abc","spec":{"a":"\\ud800"}}', 400, "VAL-006"],
    ["[".repeat(50_000), 400, "VAL-006"],
    ["[]", 400, "VAL-000"],
    ["null", 400, "VAL-000"],
    [`{"kind":"Cluster","name":"abc","spec":{"a":"${"x".repeat(3_000)}"}}`, 413, "LMT-002"],
  ])("%#: an invalid body is refused", async (body, status, code) => {
    await using fleet = await TestFleet.open({ api: { limits: { bodyBytesMax: 2_000 } } });
    const limited = body.startsWith("[[") ? await TestFleet.open() : fleet;
    const response = await limited.call("POST", "/clusters", body);
    if (limited !== fleet) await limited[Symbol.asyncDispose]();
    expect([response.status, response.json["code"]]).toEqual([status, `HYPERFLEET-${code}`]);
  });

  test("a string that cannot be stored is refused with its field", async () => {
    await using fleet = await TestFleet.open();
    const body = '{"kind":"Cluster","name":"abc","spec":{"a":[{"b":"\\u0000"}]}}';
    const { json } = await fleet.call("POST", "/clusters", body);
    expect(json["errors"]).toEqual([expect.objectContaining({ field: "spec.a[0].b" })]);
  });

  test.each<[string, string, string | Uint8Array<ArrayBuffer> | undefined, string]>([
    ["POST", "/clusters", String.raw`{"kind":"Cluster","name":"a\ud800","spec":{}}`, "name"],
    [
      "POST",
      "/clusters",
      String.raw`{"kind":"Cluster","name":"abc","labels":{"\u0000":"v"}}`,
      String.raw`labels.\u0000`,
    ],
    [
      "POST",
      "/clusters",
      Uint8Array.from(Buffer.from('{"kind":"Cluster","name":"a\xff","spec":{}}', "latin1")),
      "name",
    ],
    ["PATCH", "/clusters/x", String.raw`{"spec":{"deep":["\udc00"]}}`, "spec.deep[0]"],
    ["PUT", "/clusters/x/statuses", String.raw`{"adapter":"\u0000"}`, "adapter"],
    ["GET", "/clusters/a%00", undefined, "path"],
    ["GET", "/clusters?order=name&search=a%ED%A0%80", undefined, "search"],
  ])("%s %s with a string that cannot be stored is refused with field %j", async (method, path, body, field) => {
    await using fleet = await TestFleet.open();
    const url = new URL(`/api/hyperfleet/v1${path}`, "http://fleet.test");
    const response = await fleet.api.fetch(new Request(url, { method, ...(body === undefined ? {} : { body }) }));
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ field })] }),
    ]);
  });

  test("any content type is accepted, except from web pages", async () => {
    await using fleet = await TestFleet.open();
    const send = async (name: string, headers: Record<string, string>): Promise<number> => {
      return (await fleet.call("POST", "/clusters", { kind: "Cluster", name, spec: {} }, headers)).status;
    };
    expect(await send("one", { "content-type": "application/x-www-form-urlencoded" })).toBe(201);
    expect(await send("two", { "content-type": "text/plain", origin: "http://evil.test" })).toBe(415);
    expect(await send("two", { "content-type": "application/json; charset=utf-8", origin: "http://ok.test" })).toBe(
      201,
    );
    expect(await send("three", { "content-encoding": "gzip" })).toBe(415);
  });

  test("names with a meaning in JavaScript are plain data", async () => {
    await using fleet = await TestFleet.open();
    const spec = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"big":12345678901234567890}';
    const created = await fleet.call(
      "POST",
      "/clusters",
      `{"kind":"Cluster","name":"abc","spec":${spec},"__proto__":{"a":1}}`,
    );
    expect([created.status, created.text.includes(`"spec":${spec}`)]).toEqual([201, true]);
    expect("isAdmin" in {}).toBe(false);
    expect((await fleet.call("PATCH", `/clusters/${bodyText(created, "id")}`, '{"__proto__":{}}')).status).toBe(400);
  });
});

describe("failures", () => {
  test("internal errors are hidden, and logged with the request ID", async () => {
    const { logger, lines } = memoryLogger();
    const broken: Route = {
      method: "GET",
      path: "/broken",
      operationId: "broken",
      summary: "",
      permission: "none",
      responses: [],
      handle: () => Promise.reject(new Error("password=hunter2")),
    };
    await using fleet = await TestFleet.open({ logger, api: { moreRoutes: () => [broken] } });
    const response = await fleet.call("GET", "//broken");
    expect([response.status, response.json["code"]]).toEqual([500, "HYPERFLEET-INT-001"]);
    expect(response.text).not.toContain("hunter2");
    const line = lines.find(({ level }) => level === "error");
    expect(line?.fields["requestId"]).toBe(response.json["trace_id"]);
  });

  test("an unreachable database results in 503 with Retry-After", async () => {
    await using fleet = await TestFleet.open({
      wrap: (store) =>
        new Proxy(store, { get: (target, name) => (name === "list" ? away : (Reflect.get(target, name) as unknown)) }),
    });
    const away = (): Promise<never> => Promise.reject(new StoreUnavailableError("no route to db.internal"));
    const response = await fleet.call("GET", "/clusters");
    expect([response.status, response.json["code"], response.headers.get("retry-after")]).toEqual([
      503,
      "HYPERFLEET-SVC-001",
      "1",
    ]);
    expect(response.text).not.toContain("db.internal");
  });

  test("a slow request is answered after the timeout", async () => {
    const slow: Route = {
      method: "GET",
      path: "/slow",
      operationId: "slow",
      summary: "",
      permission: "none",
      responses: [],
      handle: () => new Promise(() => {}),
    };
    await using fleet = await TestFleet.open({ api: { moreRoutes: () => [slow] } });
    const response = fleet.call("GET", "//slow");
    await fleet.clock.advance(30_000);
    expect((await response).json["code"]).toBe("HYPERFLEET-SVC-002");
  });

  test("a failing rule stores no change", async () => {
    const when = { expression: "statuses.exists(s, s.data.quota > 3)" };
    const output = { status: { expression: "true" }, reason: { expression: "'Ok'" }, message: { expression: "''" } };
    const conditions = [{ type: "QuotaValid", when, output }];
    await using fleet = await TestFleet.open({
      entities: [{ kind: "Cluster", plural: "clusters", required_adapters: ["dns"], conditions }],
    });
    const path = `/clusters/${await fleet.create("/clusters", "Cluster", "prod")}`;
    const before = await fleet.call("GET", path);
    const failed = await fleet.report(path, "dns", 1, "True");
    expect([failed.status, failed.json["code"]]).toEqual([500, "HYPERFLEET-INT-001"]);
    expect((await fleet.call("GET", `${path}/statuses`)).json["total"]).toBe(0);
    expect((await fleet.call("GET", path)).text).toBe(before.text);
    expect((await fleet.call("GET", `${path}/history`)).json["items"]).toEqual([]);
  });
});
