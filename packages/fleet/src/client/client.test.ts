import { TransportError } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { isFleetApiError } from "./index.ts";
import type { FleetApiError } from "./index.ts";
import { json, problem, scriptedClient, awaitInVirtualTime } from "./scripted.fixture.ts";
import type { ScriptedResponse } from "./scripted.fixture.ts";

const CLUSTER = { kind: "Cluster", plural: "clusters" };
const EU = { id: "1", kind: "Cluster", name: "eu-1", generation: 1 };
const BASE = "/api/hyperfleet/v1";

describe("a call", () => {
  test("sends kind, idempotency key and token, and returns the resource with its ETag", async () => {
    const { client, requests } = scriptedClient([json(EU, { status: 201, headers: { etag: '"1.1"' } })], {
      token: () => Promise.resolve("t-1"),
      headers: { "x-tenant": "a" },
    });
    const { resource, etag } = await client.collection(CLUSTER).create({ name: "eu-1", spec: { region: "eu" } });
    expect([resource.name, etag]).toEqual(["eu-1", '"1.1"']);
    const [request] = requests;
    expect([request?.method, request?.path]).toEqual(["POST", `${BASE}/clusters`]);
    expect(JSON.parse(request?.body ?? "")).toEqual({ kind: "Cluster", name: "eu-1", spec: { region: "eu" } });
    expect(request?.headers.get("authorization")).toBe("Bearer t-1");
    expect(request?.headers.get("x-tenant")).toBe("a");
    expect(request?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/u);
  });

  test("changes only the version that it read, and children below the parent", async () => {
    const { client, requests } = scriptedClient([json(EU), new Response(undefined, { status: 204 })]);
    const pools = client.collection({ kind: "NodePool", plural: "nodepools" }, { href: `${BASE}/clusters/1` });
    await pools.patch("2", { labels: {} }, { ifMatch: '"3.9"' });
    await pools.forceDelete("a/b", "stuck");
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `PATCH ${BASE}/clusters/1/nodepools/2`,
      `POST ${BASE}/clusters/1/nodepools/a%2Fb/force-delete`,
    ]);
    expect(requests[0]?.headers.get("if-match")).toBe('"3.9"');
    expect(requests[1]?.body).toBe('{"reason":"stuck"}');
  });

  test("returns whether a report was kept", async () => {
    const { client } = scriptedClient([json({}, { status: 201 }), new Response(undefined, { status: 204 })]);
    const report = { adapter: "dns", observed_generation: 1, observed_time: "2026-01-01T00:00:00Z", conditions: [] };
    const clusters = client.collection(CLUSTER);
    expect([await clusters.report("1", report), await clusters.report("1", report)]).toEqual(["kept", "noted"]);
  });

  test.each(["fleet", "ftp://fleet", "http://user:secret@fleet"])("refuses the URL %s", (url) => {
    const fails = (): unknown => scriptedClient([], { url });
    expect(fails).toThrow("invalid API URL");
    expect(fails).not.toThrow("secret");
  });
});

describe("an error response", () => {
  test("is an error with kind, code and fields", async () => {
    const errors = [{ field: "name", message: "too short", constraint: "min" }, "nonsense"];
    const document = { detail: "Validation failed", code: "HYPERFLEET-VAL-000", trace_id: "r-1", errors };
    const { client } = scriptedClient([json(document, { status: 400 })]);
    const error = await client
      .collection(CLUSTER)
      .create({ name: "a", spec: {} })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "invalid", status: 400, code: "HYPERFLEET-VAL-000", requestId: "r-1" });
    expect((error as FleetApiError).message).toBe("Validation failed; name: too short");
  });

  test.each([
    [404, "notFound"],
    [409, "conflict"],
    [410, "expired"],
    [412, "stale"],
    [418, "failed"],
    [500, "failed"],
  ] as const)("with status %d is %s, also without a problem document", async (status, kind) => {
    const { client } = scriptedClient([new Response("<html>", { status })]);
    const error = await client
      .collection(CLUSTER)
      .get("1")
      .catch((thrown: unknown) => thrown);
    expect(isFleetApiError(error, kind)).toBe(true);
    expect((error as Error).message).toBe(`GET ${BASE}/clusters/1: the server responded with status ${status}`);
  });
});

describe("a request without a response", () => {
  test("is retried after the delay that the server requests, with the same key", async () => {
    const { client, requests, clock } = scriptedClient([
      problem(503, "SVC-001", "no database", { "retry-after": "3" }),
      new TypeError("fetch failed"),
      problem(429, "LMT-001", "slow down", { "retry-after": "2" }),
      json(EU, { status: 201 }),
    ]);
    const start = clock.now();
    await awaitInVirtualTime(clock, client.collection(CLUSTER).create({ name: "eu-1", spec: {} }));
    const keys = new Set(requests.map(({ headers }) => headers.get("idempotency-key")));
    expect([requests.length, keys.size]).toEqual([4, 1]);
    expect(clock.now() - start).toBeGreaterThanOrEqual(5_000);
    expect(clock.now() - start).toBeLessThan(7_000);
  });

  test("fails after the maximum number of attempts", async () => {
    const { client, requests, clock } = scriptedClient(Array.from({ length: 9 }, () => new TypeError("fetch failed")));
    await expect(awaitInVirtualTime(clock, client.collection(CLUSTER).get("1"))).rejects.toBeInstanceOf(TransportError);
    expect(requests).toHaveLength(5);
  });

  test("fails at once if the server requests a longer delay than allowed", async () => {
    const { client, requests } = scriptedClient([problem(503, "SVC-002", "later", { "retry-after": "3600" })]);
    await expect(client.collection(CLUSTER).get("1")).rejects.toMatchObject({ kind: "busy", retryAfterMs: 3_600_000 });
    expect(requests).toHaveLength(1);
  });

  test("ends with its timeout or its signal", async () => {
    // Does not react to aborts.
    const never: ScriptedResponse = () => new Promise(() => {});
    const slow = scriptedClient([never], { retry: { triesMax: 1 }, timeoutMs: 500 });
    await expect(awaitInVirtualTime(slow.clock, slow.client.collection(CLUSTER).get("1"))).rejects.toThrow(
      "no response within 500 ms",
    );
    const { client } = scriptedClient([never]);
    const stop = new AbortController();
    const call = client.collection(CLUSTER).get("1", { signal: stop.signal });
    stop.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("a list", () => {
  async function names(script: readonly ScriptedResponse[]): Promise<readonly [readonly string[], readonly string[]]> {
    const { client, requests } = scriptedClient(script);
    const found: string[] = [];
    const options = { search: "name like 'e%'", order: "name", fields: ["name"], pageSize: 2 };
    for await (const { name } of client.collection(CLUSTER).list(options)) found.push(name);
    return [found, requests.map(({ path }) => new URL(path, "http://x").searchParams.toString())];
  }
  const expectedQuery = "search=name+like+%27e%25%27&order=name&fields=name&size=2";

  test("follows the cursor of each page to the end", async () => {
    const pages = [{ items: [{ name: "a" }, { name: "b" }], next: "c/1" }, { items: [{ name: "c" }] }];
    expect(await names(pages.map((page) => json(page)))).toEqual([
      ["a", "b", "c"],
      [`${expectedQuery}&after=`, `${expectedQuery}&after=c%2F1`],
    ]);
  });

  test("uses page numbers with servers without cursors, and treats null as an empty page", async () => {
    const pages = [
      { items: [{ name: "a" }, { name: "b" }], page: 1, size: 2, total: 3 },
      { items: [{ name: "c" }], page: 2, size: 1, total: 3 },
    ];
    expect(await names(pages.map((page) => json(page)))).toEqual([
      ["a", "b", "c"],
      [`${expectedQuery}&after=`, `${expectedQuery}&page=2`],
    ]);
    expect(await names([json({ items: null, page: 1, size: 0, total: 0 })])).toEqual([[], [`${expectedQuery}&after=`]]);
  });

  test("of the journal is returned newest first", async () => {
    const { client, requests } = scriptedClient([
      json({ items: [{ id: "9" }], size: 1, next: "9" }),
      json({ items: [{ id: "8" }], size: 1 }),
    ]);
    const ids: string[] = [];
    for await (const { id } of client.audit({ resourceId: "1" })) ids.push(id);
    expect(ids).toEqual(["9", "8"]);
    expect(requests.map(({ path }) => path)).toEqual([
      `${BASE}/audit?resource_id=1&size=100`,
      `${BASE}/audit?resource_id=1&size=100&before=9`,
    ]);
  });

  test("finds by name, with quoting", async () => {
    const { client, requests } = scriptedClient([json({ items: [EU] })]);
    expect(await client.collection(CLUSTER).findByName("it's")).toEqual([EU]);
    expect(new URL(requests[0]?.path ?? "", "http://x").searchParams.get("search")).toBe("name = 'it''s'");
  });
});

test("kinds are those that the server describes, or the default ones", async () => {
  const described = { "x-levelset-kinds": [{ kind: "Cell", plural: "cells", required_adapters: ["power"] }, 7] };
  const { client } = scriptedClient([json(described), json({ openapi: "3.0.0" })]);
  expect(await client.kinds()).toEqual([
    { kind: "Cell", plural: "cells", parentKind: undefined, requiredAdapters: ["power"] },
  ]);
  expect((await client.kinds()).map(({ plural }) => plural)).toContain("nodepools");
});

test("an ID that cannot be stored is refused without a request", async () => {
  const { client, requests } = scriptedClient([]);
  const send = async (): Promise<unknown> => client.collection(CLUSTER).get("a\ud800");
  await expect(send()).rejects.toMatchObject({ name: "InputError" });
  expect(requests).toEqual([]);
});
