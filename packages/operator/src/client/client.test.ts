import { ConfigMap, isConflict, isNotFound, kind, s, Secret, StatusError, TransportError } from "@levelset/core";
import type { Fetch, KubeObject } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { Client, Discovery, metadataOnly } from "./index.ts";

const Counter = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Counter",
  spec: s.object({ total: s.int64(), note: s.string().optional() }),
});
const key = { namespace: "default", name: "a" };
const metadata = { namespace: "default", name: "a" };

function clientOf(fetch: Fetch): Client {
  return new Client({ fetch, fieldManager: "test" });
}

/** A client whose server returns the same response to every request. */
const answering = (body: string, init: ResponseInit = {}): Client =>
  clientOf(() => Promise.resolve(new Response(body, init)));

describe("the client", () => {
  test("creates, reads, changes, lists and deletes, typed by the kind", async () => {
    await using cluster = await testCluster();
    const client = clientOf(cluster.fetch);
    const created = await client.create(ConfigMap, { metadata, data: { x: "1" } });
    expect(created).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { x: "1" } });
    await client.mergePatch(ConfigMap, key, { data: { y: "2" } });
    await client.jsonPatch(ConfigMap, key, [{ op: "remove", path: "/data/x" }]);
    expect((await client.get(ConfigMap, key)).data).toEqual({ y: "2" });
    await expect(client.update(ConfigMap, { ...created, data: {} })).rejects.toSatisfy(isConflict);
    expect((await client.list(ConfigMap, { namespace: "default" })).items).toHaveLength(1);
    expect((await client.list(ConfigMap, { fields: "metadata.name=other" })).items).toEqual([]);
    await client.create(ConfigMap, { metadata: { ...metadata, name: "dry" } }, { dryRun: true });
    await expect(client.get(ConfigMap, { ...key, name: "dry" })).rejects.toSatisfy(isNotFound);
    await expect(client.delete(ConfigMap, key, { uid: "another" })).rejects.toSatisfy(isConflict);
    await client.delete(ConfigMap, key, { uid: created.metadata.uid });
    await expect(client.get(ConfigMap, key)).rejects.toSatisfy(isNotFound);
  });

  test("sends requests as another user, and reports their writes to the same observer", async () => {
    await using cluster = await testCluster();
    const users: (string | null)[] = [];
    const fetch: Fetch = (request) => {
      users.push(request.headers.get("impersonate-user"));
      return cluster.fetch(request);
    };
    const written: string[] = [];
    const observer = {
      onWrite: (_kind: unknown, object: KubeObject) => written.push(object.metadata.name),
      onDelete: () => {},
      onUnknownOutcome: () => {},
    };
    const client = new Client({ fetch, fieldManager: "test", observer });
    await client.as("system:serviceaccount:shop:a").create(ConfigMap, { metadata, data: { x: "1" } });
    const { managedFields } = (await client.get(ConfigMap, key)).metadata;
    expect(managedFields).toMatchObject([{ manager: "test" }]);
    expect([users, written]).toEqual([["system:serviceaccount:shop:a", null], ["a"]]);
  });

  test.for(["", ".", ".."])("rejects the object name %j, which would change the request path", async (name) => {
    const client = clientOf(() => Promise.reject(new Error("sent")));
    await expect(client.get(ConfigMap, { ...key, name })).rejects.toThrow("not a valid object name");
    await expect(client.delete(ConfigMap, { ...key, namespace: name })).rejects.toThrow("not a valid object name");
  });

  test.for(["a\ud800", "a\0"])("rejects the invalid object name %j without a request", async (name) => {
    const client = clientOf(() => Promise.reject(new Error("sent")));
    await expect(client.get(ConfigMap, { ...key, name })).rejects.toMatchObject({ name: "InputError" });
    await expect(client.delete(ConfigMap, { ...key, namespace: name })).rejects.toThrow("the name");
  });

  test("reads all pages, each object once", async () => {
    await using cluster = await testCluster();
    const client = clientOf(cluster.fetch);
    for (const name of ["a", "b", "c", "d", "e"]) await client.create(ConfigMap, { metadata: { ...metadata, name } });
    const seen: string[] = [];
    for await (const page of client.pages(ConfigMap, { namespace: "default", limit: 2 })) {
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map((item) => item.metadata.name));
    }
    expect(seen.filter((name) => name.length === 1)).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("reads only metadata of a metadata-only kind, with apiVersion and kind", async () => {
    await using cluster = await testCluster();
    const client = clientOf(cluster.fetch);
    await client.create(ConfigMap, { metadata, data: { x: "1" } });
    const meta = metadataOnly(ConfigMap);
    const { items } = await client.list(meta, { namespace: "default", fields: "metadata.name=a" });
    for (const object of [...items, await client.get(meta, key)]) {
      expect(object).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
      expect(object).not.toHaveProperty("data");
    }
  });

  test("finds the kind of an object by apiVersion and kind, and repeats discovery for unknown kinds", async () => {
    await using cluster = await testCluster();
    const discovery = new Discovery(clientOf(cluster.faults.fetch));
    const [one, two] = await Promise.all([
      discovery.kindOf({ apiVersion: "v1", kind: "ConfigMap" }),
      discovery.kindOf({ apiVersion: "v1", kind: "Namespace" }),
    ]);
    expect([one.plural, one.scope, two.scope]).toEqual(["configmaps", "Namespaced", "Cluster"]);
    const counter = { apiVersion: "test.levelset.dev/v1", kind: "Counter" };
    await expect(discovery.kindOf(counter)).rejects.toThrow("does not serve Counter in test.levelset.dev/v1");
    await cluster.install(Counter);
    expect(await discovery.kindOf(counter)).toMatchObject({ plural: "counters", hasStatus: true });
    const requested = cluster.faults.requests.length;
    await discovery.kindOf(counter);
    expect(cluster.faults.requests.length).toBe(requested);
  });

  test("reports the server's warnings", async () => {
    const warnings: string[] = [];
    const headers = { warning: '299 - "first \\"quoted\\"", 299 - "second"' };
    const fetch: Fetch = () => Promise.resolve(new Response(JSON.stringify({ metadata }), { headers }));
    await new Client({ fetch, fieldManager: "test", onWarning: (text) => warnings.push(text) }).get(ConfigMap, key);
    expect(warnings).toEqual(['first "quoted"', "second"]);
  });

  test("preserves integers beyond 2^53 in reads and writes", async () => {
    await using cluster = await testCluster({ kinds: [Counter] });
    const client = clientOf(cluster.fetch);
    const total = 9_007_199_254_740_993n;
    const created = await client.create(Counter, { metadata, spec: { total } });
    const updated = await client.update(Counter, { ...created, spec: { ...created.spec, note: "changed" } });
    expect(updated.spec).toEqual({ total, note: "changed" });
    expect((await client.get(Counter, key)).spec.total).toBe(total);
  });

  test("distinguishes failures by reason, with the server's details", async () => {
    await using cluster = await testCluster({ kinds: [Counter] });
    const client = clientOf(cluster.fetch);
    // The compiler refuses it too.
    const spec = { total: "many" } as unknown as { total: number };
    const refusal = await client.create(Counter, { metadata, spec }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ reason: "Invalid", code: 422, details: { causes: [{ field: "spec.total" }] } });
  });

  test("rejects with a transport error for a missing or malformed response", async () => {
    const broken = clientOf(() =>
      Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") })),
    );
    await expect(broken.get(ConfigMap, key)).rejects.toMatchObject({
      name: "TransportError",
      message: "GET /api/v1/namespaces/default/configmaps/a: connect ECONNREFUSED",
    });
    await expect(answering("<html>").get(ConfigMap, key)).rejects.toBeInstanceOf(TransportError);
    await expect(answering("{}").get(ConfigMap, key)).rejects.toThrow("not a ConfigMap");
    await expect(answering("[]").list(ConfigMap)).rejects.toThrow("not a list of ConfigMap");
  });

  test("reads errors that are not from Kubernetes, such as those of a proxy", async () => {
    const proxy = answering("<html>Bad gateway", { status: 502, headers: { "retry-after": "7" } });
    const failure = await proxy.get(ConfigMap, key).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StatusError);
    expect(failure).toMatchObject({ reason: "InternalError", code: 502, details: { retryAfterSeconds: 7 } });
  });

  test("reads a date in Retry-After, as proxies send it", async () => {
    const headers = { "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" };
    const client = new Client({
      fetch: () => Promise.resolve(new Response("", { status: 503, headers })),
      fieldManager: "test",
      retry: { clock: new VirtualClock(Date.UTC(2026, 0, 1)), random: seededRandom(1) },
    });
    await expect(client.create(ConfigMap, { metadata })).rejects.toMatchObject({ details: { retryAfterSeconds: 5 } });
  });

  test("never includes the request body in an error", async () => {
    const secret = { metadata, stringData: { password: "hunter2" } };
    for (const client of [answering("<html>", { status: 500 }), clientOf(() => Promise.reject(new Error("reset")))]) {
      const failure: unknown = await client.create(Secret, secret).catch((error: unknown) => error);
      expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain("hunter2");
    }
  });

  test("rejects with an abort error at once when its signal aborts", async () => {
    const hanging = clientOf(
      (request) =>
        new Promise((_, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason as Error));
        }),
    );
    const controller = new AbortController();
    const reading = hanging.get(ConfigMap, key, { signal: controller.signal });
    controller.abort();
    await expect(reading).rejects.toHaveProperty("name", "AbortError");
  });
});

test("an abort ends every wait, even if the transport ignores it", async () => {
  const forever = new Promise<never>(() => {});
  const silent = (): ReadableStream<Uint8Array> => new ReadableStream({ pull: () => forever });
  const watching = async (client: Client, signal: AbortSignal): Promise<void> => {
    for await (const event of client.watch(ConfigMap, { resourceVersion: "1", timeoutSeconds: 1, signal })) void event;
  };
  const attempts = [
    (signal: AbortSignal) => clientOf(() => forever).get(ConfigMap, key, { signal }),
    (signal: AbortSignal) => clientOf(() => Promise.resolve(new Response(silent()))).get(ConfigMap, key, { signal }),
    (signal: AbortSignal) =>
      watching(
        clientOf(() => Promise.resolve(new Response(silent()))),
        signal,
      ),
  ];
  for (const attempt of attempts) {
    const controller = new AbortController();
    const waiting = attempt(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toHaveProperty("name", "AbortError");
  }
});

describe("a watch", () => {
  const watch = async (body: string): Promise<unknown[]> => {
    const events: unknown[] = [];
    const options = { resourceVersion: "1", timeoutSeconds: 1 };
    for await (const event of answering(body).watch(ConfigMap, options)) events.push(event.type);
    return events;
  };
  const object = { metadata: { name: "a", uid: "u", resourceVersion: "2" } };
  const line = (type: string): string => `${JSON.stringify({ type, object })}\n`;

  test("yields events and bookmarks in order", async () => {
    expect(await watch(line("ADDED") + line("BOOKMARK") + line("DELETED"))).toEqual(["ADDED", "BOOKMARK", "DELETED"]);
  });

  test("that has an ERROR event rejects with that error", async () => {
    const status = { kind: "Status", code: 410, reason: "Expired", message: "too old" };
    await expect(watch(`${JSON.stringify({ type: "ERROR", object: status })}\n`)).rejects.toMatchObject({
      reason: "Expired",
    });
  });

  test("that is cut inside an event or has an invalid event rejects with a transport error", async () => {
    await expect(watch(line("ADDED").slice(0, -10))).rejects.toThrow("cut inside an event");
    await expect(watch("nonsense\n")).rejects.toThrow("not JSON");
    await expect(watch('{"type":"ADDED"}\n')).rejects.toThrow("no type or no object");
    await expect(watch(line("WHAT"))).rejects.toThrow('the unknown type "WHAT"');
  });
});
