import { ConfigMap, StatusError } from "@levelset/core";
import type { Fetch, StatusDetails } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { isWatch, seededRandom, VirtualClock } from "@levelset/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Client, RequestThrottle } from "./index.ts";
import { pauseOf } from "./request-throttle.ts";

const KEY = { namespace: "default", name: "a" };
const NO_SPREAD = { next: () => 0 };

interface Rig {
  readonly client: Client;
  readonly throttle: RequestThrottle;
}

/** Returns a client with its own throttle. `fetch` defaults to that of the cluster, which counts requests. */
function rigOf(cluster: TestCluster, rate?: { perSecond: number; burst: number }, fetch?: Fetch): Rig {
  const { clock } = cluster;
  const throttle = new RequestThrottle({ clock, random: NO_SPREAD, rate });
  const retry = { clock, random: seededRandom(1) };
  return {
    throttle,
    client: new Client({ fetch: fetch ?? cluster.faults.fetch, fieldManager: "test", retry, throttle }),
  };
}

/** Starts reads at once. Returns the number of those that ended well so far. */
function startReads(client: Client, count: number, signal?: AbortSignal): () => number {
  let done = 0;
  for (let n = 0; n < count; n++) {
    client.get(ConfigMap, KEY, { signal }).then(
      () => (done += 1),
      () => {},
    );
  }
  return () => done;
}

/** A server in front of the cluster that rejects all requests with a 429 while `retryAfter` is set. */
class OverloadedServer {
  retryAfter: string | undefined = "1";
  requests = 0;
  readonly #cluster: TestCluster;

  constructor(cluster: TestCluster) {
    this.#cluster = cluster;
  }

  readonly fetch: Fetch = async (request) => {
    this.requests++;
    if (this.retryAfter === undefined) return this.#cluster.fetch(request);
    // As API priority and fairness responds (k8s.io/apiserver/pkg/server/filters/priority-and-fairness.go).
    return new Response("Too many requests, please try again later.\n", {
      status: 429,
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "retry-after": this.retryAfter,
        "x-kubernetes-pf-flowschema-uid": "0d7a4ab0-3ecd-4c6b-a2ba-4a1f0b1f6f2f",
        "x-kubernetes-pf-prioritylevel-uid": "6ab4ac1c-0d6f-4c94-9a6f-2b8f7a9a3c55",
      },
    });
  };
}

describe("with qps", () => {
  test("requests are sent up to the burst, then at the rate", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    const { client, throttle } = rigOf(cluster, { perSecond: 5, burst: 3 });
    const done = startReads(client, 33);
    const sent: number[] = [];
    for (const ms of [0, 1_000, 1_000, 3_000, 1_000, 10_000]) {
      await cluster.clock.advance(ms);
      sent.push(cluster.faults.requests.length);
    }
    expect(sent).toEqual([3, 8, 13, 28, 33, 33]);
    expect(done()).toBe(33);
    // The n-th request after the burst waits n * 0.2 s: 0.2 * (1 + … + 30).
    expect(throttle.waitedSeconds.qps).toBeCloseTo(93, 5);
    expect(throttle.waitedSeconds["retry-after"]).toBe(0);
  });

  test("the start of a watch takes a token, and an open watch holds none", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    const { client } = rigOf(cluster, { perSecond: 1, burst: 1 });
    const stop = new AbortController();
    const watch = client.watch(ConfigMap, { resourceVersion: "0", timeoutSeconds: 300, signal: stop.signal });
    const first = watch.next();
    const done = startReads(client, 3);
    await cluster.clock.advance(0);
    expect(cluster.faults.requests.map((request) => isWatch(request))).toEqual([true]);
    await cluster.clock.advance(3_000);
    expect(done()).toBe(3);
    expect((await first).value).toMatchObject({ type: "ADDED", object: { metadata: { name: "a" } } });
    stop.abort();
  });

  test("an aborted request is not sent, and the next one takes its place", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    const { client } = rigOf(cluster, { perSecond: 1, burst: 1 });
    await client.get(ConfigMap, KEY);
    const stop = new AbortController();
    const aborted = client.get(ConfigMap, KEY, { signal: stop.signal });
    const done = startReads(client, 1);
    await cluster.clock.advance(500);
    stop.abort();
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
    await expect(client.get(ConfigMap, KEY, { signal: stop.signal })).rejects.toMatchObject({ name: "AbortError" });
    await cluster.clock.advance(500);
    expect(done()).toBe(1);
    expect(cluster.faults.requests).toHaveLength(2);
  });
});

test("any requests are admitted in order and at the rate, and aborted ones take no token", async () => {
  const arrival = fc.record({
    afterMs: fc.integer({ min: 0, max: 400 }),
    abortAfterMs: fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined, freq: 4 }),
  });
  const rates = fc.record({ perSecond: fc.constantFrom(1, 3, 7, 50), burst: fc.integer({ min: 1, max: 4 }) });
  const holds = async (
    arrivals: readonly { afterMs: number; abortAfterMs?: number | undefined }[],
    rate: {
      perSecond: number;
      burst: number;
    },
  ): Promise<void> => {
    const clock = new VirtualClock();
    const throttle = new RequestThrottle({ clock, random: NO_SPREAD, rate });
    const admitted: { id: number; at: number }[] = [];
    const aborted = new Set<number>();
    for (const [id, { afterMs, abortAfterMs }] of arrivals.entries()) {
      await clock.advance(afterMs);
      const stop = new AbortController();
      if (abortAfterMs !== undefined) clock.after(abortAfterMs, () => stop.abort());
      Promise.resolve(throttle.admit(stop.signal)).then(
        () => admitted.push({ id, at: clock.monotonic() }),
        () => aborted.add(id),
      );
    }
    await clock.advance(60_000);
    expect(admitted.map(({ id }) => id)).toEqual(arrivals.map((_, id) => id).filter((id) => !aborted.has(id)));
    for (const [first, { at: from }] of admitted.entries()) {
      for (const [more, { at: to }] of admitted.slice(first).entries()) {
        expect(more + 1).toBeLessThanOrEqual(rate.burst + ((to - from) * rate.perSecond) / 1_000 + 1e-3);
      }
    }
  };
  const arrivals = fc.array(arrival, { minLength: 1, maxLength: 20 });
  await fc.assert(fc.asyncProperty(arrivals, rates, holds), { numRuns: 30 });
});

describe("a 429 with Retry-After", () => {
  test("pauses all requests, so that one of many is sent per pause", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    const server = new OverloadedServer(cluster);
    const { client } = rigOf(cluster, undefined, server.fetch);
    const first = startReads(client, 1);
    await cluster.clock.advance(0);
    const others = startReads(client, 20);
    await cluster.clock.advance(2_500);
    expect(server.requests).toBe(3);
    server.retryAfter = undefined;
    // They start 50 ms apart: the first at 3 s.
    await cluster.clock.advance(1_000);
    expect(first() + others()).toBe(11);
    await cluster.clock.advance(500);
    expect(first() + others()).toBe(21);
    expect(server.requests).toBe(3 + 21);
  });

  test("fails a request after a few attempts, and then the next one is sent", async () => {
    await using cluster = await testCluster();
    const server = new OverloadedServer(cluster);
    const { client } = rigOf(cluster, undefined, server.fetch);
    const failures: unknown[] = [];
    for (let n = 0; n < 8; n++) client.get(ConfigMap, KEY).catch((error: unknown) => failures.push(error));
    await cluster.clock.advance(0);
    // All were sent before the first response.
    expect(server.requests).toBe(8);
    await cluster.clock.advance(30_000);
    expect(failures).toHaveLength(8);
    expect(failures[0]).toMatchObject({ reason: "TooManyRequests", details: { retryAfterSeconds: 1 } });
    // Each has three more attempts: one per second.
    expect(server.requests).toBe(8 + 24);
  });

  test("counts the time that requests waited", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    const { client, throttle } = rigOf(cluster);
    cluster.faults.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 4 });
    const done = startReads(client, 1);
    await cluster.clock.advance(1_000);
    expect(throttle.waitedSeconds).toEqual({ qps: 0, "retry-after": 1 });
    await cluster.clock.advance(9_000);
    expect(done()).toBe(1);
    expect(throttle.waitedSeconds).toEqual({ qps: 0, "retry-after": 4 });
  });

  test("of more than ten seconds fails all requests at once until its end", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    const { client, throttle } = rigOf(cluster, { perSecond: 1, burst: 1 });
    cluster.faults.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 60 });
    const rejected = client.get(ConfigMap, KEY);
    const queued = client.get(ConfigMap, KEY);
    await expect(rejected).rejects.toMatchObject({ reason: "TooManyRequests", details: { retryAfterSeconds: 60 } });
    await expect(queued).rejects.toMatchObject({ reason: "TooManyRequests", details: { retryAfterSeconds: 60 } });
    await cluster.clock.advance(20_000);
    await expect(client.get(ConfigMap, KEY)).rejects.toThrow(
      "the request was not sent: the API server asked to hold back for another 40 s",
    );
    expect(throttle.pauseLeftMs).toBe(40_000);
    const done = startReads(client, 2);
    await cluster.clock.advance(30_000);
    const late = startReads(client, 1);
    await cluster.clock.advance(9_999);
    expect(cluster.faults.requests).toHaveLength(1);
    await cluster.clock.advance(1);
    expect([done(), late(), cluster.faults.requests.length]).toEqual([0, 1, 2]);
  });

  test("repeats a write, because the server has not executed it", async () => {
    await using cluster = await testCluster();
    const { client } = rigOf(cluster);
    cluster.faults.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 1 });
    const created = client.create(ConfigMap, { metadata: KEY });
    await cluster.clock.advance(1_000);
    expect((await created).metadata.name).toBe("a");
    expect(cluster.faults.requests).toHaveLength(2);
  });
});

test("a 503 with Retry-After does not repeat a write, and pauses the other requests", async () => {
  await using cluster = await testCluster();
  await cluster.create(ConfigMap, { name: "a" });
  const { client } = rigOf(cluster);
  cluster.faults.failNth(1, { kind: "status", reason: "ServiceUnavailable", retryAfterSeconds: 3 });
  await expect(client.create(ConfigMap, { metadata: { ...KEY, name: "b" } })).rejects.toMatchObject({ code: 503 });
  const done = startReads(client, 1);
  await cluster.clock.advance(2_999);
  expect([done(), cluster.faults.requests.length]).toEqual([0, 1]);
  await cluster.clock.advance(1);
  expect([done(), cluster.faults.requests.length]).toEqual([1, 2]);
  expect(await cluster.get(ConfigMap, "b")).toBeUndefined();
});

test("only responses about the whole server pause the client", () => {
  const error = (reason: "TooManyRequests" | "InternalError" | "ServiceUnavailable", details?: StatusDetails) =>
    new StatusError(reason, "x", details === undefined ? {} : { details });
  expect(pauseOf(error("TooManyRequests", { retryAfterSeconds: 2 }))).toBe(2_000);
  expect(pauseOf(error("ServiceUnavailable", { retryAfterSeconds: 2 }))).toBe(2_000);
  expect(pauseOf(error("TooManyRequests", { retryAfterSeconds: 86_400 }))).toBe(300_000);
  expect(pauseOf(error("TooManyRequests"))).toBeUndefined();
  expect(pauseOf(error("InternalError", { retryAfterSeconds: 2 }))).toBeUndefined();
  const causes = [{ reason: "DisruptionBudget", message: "The disruption budget x needs 1 healthy pods" }];
  expect(pauseOf(error("TooManyRequests", { retryAfterSeconds: 10, causes }))).toBeUndefined();
  expect(pauseOf(error("TooManyRequests", { retryAfterSeconds: 10, name: "a" }))).toBeUndefined();
  expect(pauseOf(new Error("x"))).toBeUndefined();
});
