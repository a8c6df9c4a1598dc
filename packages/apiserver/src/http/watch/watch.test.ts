import { untilIdle } from "@levelset/core/testing";
import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ApiHarness, apiWithSimple, CONFIGMAPS, configMap, simple, SIMPLES } from "../api.fixture.ts";
import type { TestWatchEvent } from "../api.fixture.ts";

const brief = (events: readonly TestWatchEvent[]): readonly string[] =>
  events.map(({ type, object }) => `${type} ${object.metadata.name ?? object.metadata.resourceVersion}`);

test("a watch without a version starts with the current objects, then sends every change", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  const watching = await api.watch(`${SIMPLES}?watch=true`);
  expect(brief(await watching.take(1))).toEqual(["ADDED a"]);
  await api.simple("b");
  await api.merge(`${SIMPLES}/a`, { spec: { replicas: 2 } });
  await api.call("DELETE", `${SIMPLES}/b`);
  const events = await watching.take(3);
  expect(brief(events)).toEqual(["ADDED b", "MODIFIED a", "DELETED b"]);
  // The deletion has its own version.
  expect(events[2]?.object.metadata.resourceVersion).toBe(String(api.store.revision));
});

test("a watch from a version replays only later changes", async () => {
  const api = await apiWithSimple();
  const { metadata } = await api.simple("a");
  await api.simple("b");
  const watching = await api.watch(`${SIMPLES}?watch=1&resourceVersion=${metadata.resourceVersion}`);
  expect(brief(await watching.take(1))).toEqual(["ADDED b"]);
});

test("a watch receives only events of its namespace and resource", async () => {
  const api = await apiWithSimple();
  const watching = await api.watch(`${SIMPLES}?watch=true`);
  await api.call("POST", CONFIGMAPS, configMap("other"));
  await api.call("POST", SIMPLES.replace("default", "kube-system"), simple("elsewhere"));
  await api.simple("a");
  expect(brief(await watching.take(1))).toEqual(["ADDED a"]);
});

test("an object that leaves the selector is reported as DELETED, one that enters as ADDED", async () => {
  const api = await apiWithSimple();
  const watching = await api.watch(`${SIMPLES}?watch=true&labelSelector=on%3Dyes`);
  await api.simple("a", {}, { labels: { on: "no" } });
  await api.merge(`${SIMPLES}/a`, { metadata: { labels: { on: "yes" } } });
  await api.merge(`${SIMPLES}/a`, { spec: { replicas: 4 } });
  await api.merge(`${SIMPLES}/a`, { metadata: { labels: { on: "no" } } });
  await api.call("DELETE", `${SIMPLES}/a`);
  await api.simple("b", {}, { labels: { on: "yes" } });
  const events = await watching.take(4);
  expect(brief(events)).toEqual(["ADDED a", "MODIFIED a", "DELETED a", "ADDED b"]);
  expect(events[2]?.object.metadata).toMatchObject({ labels: { on: "yes" } });
  expect(Number(events[2]?.object.metadata.resourceVersion)).toBeGreaterThan(
    Number(events[1]?.object.metadata.resourceVersion),
  );
});

test("a watch of one object by field selector, as kubectl wait uses it", async () => {
  const api = await apiWithSimple();
  const watching = await api.watch(`${SIMPLES}?watch=true&fieldSelector=metadata.name%3Db`);
  await api.simple("a");
  await api.simple("b");
  expect(brief(await watching.take(1))).toEqual(["ADDED b"]);
});

test("watch on the path of one object is ignored: the response is the object", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  const { body } = await api.get(`${SIMPLES}/a?watch=true`);
  expect(body).toMatchObject({ kind: "Simple", metadata: { name: "a" } });
});

test("a compacted version returns 200 with an ERROR event that carries a 410 Status", async () => {
  const api = await apiWithSimple({ historyMax: 2 });
  for (const name of ["a", "b", "c", "d"]) await api.simple(name);
  const watching = await api.watch(`${SIMPLES}?watch=true&resourceVersion=2`);
  const [event, ...none] = await watching.take(2);
  expect(none).toEqual([]);
  expect(event?.type).toBe("ERROR");
  expect(event?.object).toMatchObject({ kind: "Status", code: 410, reason: "Expired" });
  expect(event?.object.message).toMatch(/^too old resource version: 2 \(\d+\)$/u);
});

test("a future version returns 410 too, because the store was reset", async () => {
  const api = await apiWithSimple();
  const watching = await api.watch(`${SIMPLES}?watch=true&resourceVersion=5000`);
  const [event] = await watching.take(2);
  expect(event?.object).toMatchObject({ kind: "Status", code: 410, reason: "Expired" });
});

test("bookmarks are sent about every minute and before the end, if requested", async () => {
  const api = await apiWithSimple();
  const watching = await api.watch(`${SIMPLES}?watch=true&allowWatchBookmarks=true&timeoutSeconds=90`);
  const events = watching.take(10);
  await api.clock.advance(60_000);
  await api.call("POST", CONFIGMAPS, configMap("other"));
  await api.clock.advance(30_000);
  const revision = api.store.revision;
  expect((await events).map(({ type, object }) => [type, object.kind, object.metadata.resourceVersion])).toEqual([
    ["BOOKMARK", "Simple", String(revision - 1)],
    ["BOOKMARK", "Simple", String(revision)],
  ]);
  expect(api.clock.nextTimerAt).toBeUndefined();
});

test("a watch without bookmarks ends at its timeout", async () => {
  const api = await apiWithSimple();
  const watching = await api.watch(`${SIMPLES}?watch=true&timeoutSeconds=5`);
  const events = watching.take(1);
  await api.clock.advance(5000);
  expect(await events).toEqual([]);
});

test("sendInitialEvents sends the current objects and an end bookmark", async () => {
  const api = await apiWithSimple();
  await api.simple("a");
  const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const watching = await api.watch(`${SIMPLES}?${query}`);
  const events = await watching.take(2);
  expect(events.map(({ type }) => type)).toEqual(["ADDED", "BOOKMARK"]);
  expect(events[1]?.object.metadata).toMatchObject({
    annotations: { "k8s.io/initial-events-end": "true" },
    resourceVersion: String(api.store.revision),
  });
  const wrong = await api.get(`${SIMPLES}?watch=true&sendInitialEvents=true`);
  expect(wrong.code).toBe(422);
});

test("a cancelled or aborted watch releases its timers and its store watch", async () => {
  const api = await apiWithSimple();
  const cancelled = await api.watch(`${SIMPLES}?watch=true&allowWatchBookmarks=true`);
  await cancelled.cancel();
  const abort = new AbortController();
  const aborted = await api.watch(`${SIMPLES}?watch=true`, { signal: abort.signal });
  const events = aborted.take(1);
  abort.abort();
  await expect(events).rejects.toThrow(/abort/u);
  expect(api.clock.nextTimerAt).toBeUndefined();
});

test("a watcher that does not read is ended with an error once its buffer is full", async () => {
  const api = await apiWithSimple({ backlogMax: 3 });
  const watching = await api.watch(`${SIMPLES}?watch=true`);
  for (const name of ["a", "b", "c", "d"]) await api.simple(name);
  const events = await watching.take(10);
  expect(events.map(({ type }) => type)).toEqual(["ERROR"]);
  expect(events[0]?.object).toMatchObject({ code: 410 });
});

test("the buffer of a watcher is also limited in bytes", async () => {
  const api = new ApiHarness({ backlogMaxBytes: 5000 });
  await api.get(CONFIGMAPS);
  const watching = await api.watch(`${CONFIGMAPS}?watch=true`);
  for (const name of ["a", "b"]) await api.call("POST", CONFIGMAPS, configMap(name, { text: "x".repeat(3000) }));
  expect((await watching.take(10)).map(({ type }) => type)).toEqual(["ERROR"]);
});

test("watchers with the same representation share the same bytes", async () => {
  const api = new ApiHarness();
  await api.get(CONFIGMAPS);
  const from = api.store.revision;
  const open = async (): Promise<ReadableStreamDefaultReader<Uint8Array>> => {
    const request = new Request(`${CLUSTER_ORIGIN}${CONFIGMAPS}?watch=true&resourceVersion=${from}`);
    const { body } = await api.fetch(request);
    return (body ?? new ReadableStream<Uint8Array>()).getReader();
  };
  const readers = [await open(), await open()];
  await api.call("POST", CONFIGMAPS, configMap("a"));
  const [first, second] = await Promise.all(readers.map((reader) => reader.read()));
  expect(first?.value).toBeInstanceOf(Uint8Array);
  expect(second?.value).toBe(first?.value);
});

test("a large initial state is sent in chunks, complete and in order", async () => {
  const api = new ApiHarness();
  const all = Array.from({ length: 40 }, (_, index) => `cm-${10 + index}`);
  for (const name of all) await api.call("POST", CONFIGMAPS, configMap(name, { text: "ä".repeat(5000) }));
  const query = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const watching = await api.watch(`${CONFIGMAPS}?${query}`);
  const events = await watching.take(41);
  expect(brief(events)).toEqual([...all.map((name) => `ADDED ${name}`), `BOOKMARK ${api.store.revision}`]);
});

test("closing the store ends watches after the pending events", async () => {
  const api = await apiWithSimple();
  const watching = await api.watch(`${SIMPLES}?watch=true`);
  await api.simple("a");
  api.store.close();
  expect(brief(await watching.take(5))).toEqual(["ADDED a"]);
});

test("events are delivered without a timer", async () => {
  const api = await apiWithSimple();
  const watching = await api.watch(`${SIMPLES}?watch=true`);
  let seen = 0;
  const reading = watching.take(1).then((events) => (seen = events.length));
  await api.simple("a");
  await untilIdle();
  expect(seen).toBe(1);
  await reading;
});

test("replaying a watch yields exactly the list, whatever is written", async () => {
  const write = fc.record({
    name: fc.constantFrom("a", "b", "c"),
    kind: fc.constantFrom("put", "label", "delete"),
    value: fc.constantFrom("1", "2"),
  });
  const property = fc.asyncProperty(fc.array(write, { maxLength: 20 }), async (writes) => {
    const api = new ApiHarness();
    await api.call("POST", CONFIGMAPS, configMap("start"));
    const selector = "labelSelector=v%3D1";
    const watching = await api.watch(`${CONFIGMAPS}?watch=true&${selector}`);
    for (const { name, kind, value } of writes) {
      if (kind === "put")
        await api.call("POST", CONFIGMAPS, { ...configMap(name), metadata: { name, labels: { v: value } } });
      if (kind === "label") await api.merge(`${CONFIGMAPS}/${name}`, { metadata: { labels: { v: value } } });
      if (kind === "delete") await api.call("DELETE", `${CONFIGMAPS}/${name}`);
    }
    api.store.close();
    const seen = new Map<string, unknown>();
    for (const { type, object } of await watching.take(1000)) {
      if (type === "DELETED") seen.delete(object.metadata.name);
      else seen.set(object.metadata.name, object);
    }
    const list = await api.get(`${CONFIGMAPS}?${selector}`);
    expect([...seen.values()]).toHaveLength(list.body.items?.length ?? -1);
    // Items of a list omit apiVersion and kind.
    for (const item of list.body.items ?? []) expect(seen.get(item.metadata.name)).toMatchObject(item);
  });
  await fc.assert(property, { numRuns: 40 });
});
