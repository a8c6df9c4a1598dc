import { ConfigMap } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { seededRandom } from "@levelset/core/testing";
import type { Fault } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { Client } from "./index.ts";

const metadata = { namespace: "default", name: "a" };
const BUSY: Fault = { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 1 };
const DOWN: Fault = { kind: "status", reason: "ServiceUnavailable", retryAfterSeconds: 1 };
const REFUSED: Fault = { kind: "refused" };
const LOST: Fault = { kind: "response-lost" };

function clientOf(cluster: TestCluster): Client {
  const retry = { clock: cluster.clock, random: seededRandom(1) };
  return new Client({ fetch: cluster.faults.fetch, fieldManager: "test", retry });
}

/** Returns the outcome of a call after `fault` at its first request, and the number of requests. */
async function attempt(fault: Fault, call: "read" | "write"): Promise<readonly [string, number]> {
  await using cluster = await testCluster();
  const client = clientOf(cluster);
  if (call === "read") await cluster.create(ConfigMap, { name: "a" });
  cluster.faults.failNth(1, fault);
  const work = call === "read" ? client.get(ConfigMap, metadata) : client.create(ConfigMap, { metadata });
  const outcome = work.then(
    () => "done",
    (error: unknown) => (error instanceof Error ? error.name : "?"),
  );
  await cluster.clock.advance(5_000);
  return [await outcome, cluster.faults.requests.length];
}

describe("a request is retried", () => {
  test("after a 429 response, for reads and writes", async () => {
    expect(await attempt(BUSY, "read")).toEqual(["done", 2]);
    expect(await attempt(BUSY, "write")).toEqual(["done", 2]);
  });

  test("after any failure of a read", async () => {
    for (const fault of [DOWN, REFUSED, LOST]) expect(await attempt(fault, "read")).toEqual(["done", 2]);
  });

  test("but not if retryThrottled is false", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    cluster.faults.failNth(1, BUSY);
    const deletion = clientOf(cluster).delete(ConfigMap, metadata, { retryThrottled: false });
    await expect(deletion).rejects.toMatchObject({ reason: "TooManyRequests" });
    await cluster.clock.advance(60_000);
    expect(cluster.faults.requests).toHaveLength(1);
    expect(await cluster.get(ConfigMap, "a")).toBeDefined();
  });

  test("but never if it is a write with an unknown outcome", async () => {
    expect(await attempt(LOST, "write")).toEqual(["TransportError", 1]);
    expect(await attempt(REFUSED, "write")).toEqual(["TransportError", 1]);
    expect(await attempt(DOWN, "write")).toEqual(["StatusError", 1]);
  });

  test("a few times at most, and not if the delay is long", async () => {
    await using cluster = await testCluster();
    for (let n = 1; n <= 9; n++) cluster.faults.failNth(1, BUSY);
    const outcome = clientOf(cluster)
      .create(ConfigMap, { metadata })
      .catch((error: unknown) => error);
    await cluster.clock.advance(60_000);
    expect(await outcome).toMatchObject({ reason: "TooManyRequests" });
    expect(cluster.faults.requests).toHaveLength(4);
    expect(await attempt({ ...BUSY, retryAfterSeconds: 60 }, "read")).toEqual(["StatusError", 1]);
  });
});
