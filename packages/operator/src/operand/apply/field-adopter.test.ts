import { ConfigMap } from "@levelset/core";
import type { EmbeddedObject, JsonObject } from "@levelset/core";
import { isWatch } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { Client } from "../../client/index.ts";
import { Operand, operandManager } from "../index.ts";
import { partLabel } from "../spec/labels-and-annotations.ts";

const config = (name: string, data: JsonObject): EmbeddedObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data,
});

/** Creates a ConfigMap as `kubectl create` does. */
async function kubectlCreate(cluster: TestCluster, name: string, data: Record<string, string>): Promise<void> {
  const client = new Client({ fetch: cluster.fetch, fieldManager: "kubectl-create" });
  await client.create(ConfigMap, { metadata: { namespace: "default", name, labels: { team: "old" } }, data });
}

const isCall: RequestFilter = (request) => !isWatch(request);

/** Requests that change the object, without dry runs. */
const isWrite: RequestFilter = ({ method, path, query }) =>
  method !== "GET" && path.endsWith("/configmaps/x") && !query.includes("dryRun");

async function calm(cluster: TestCluster): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await cluster.untilIdle();
    if (cluster.faults.isCrashed) {
      cluster.faults.restart();
      cluster.run(operandManager());
    }
    await cluster.clock.advance(60_000);
  }
  await cluster.untilIdle();
}

/** Adopts an object, then moves it to another Operand, under faults. Returns the number of writes. */
async function adoptAndMove(injectFaults: (cluster: TestCluster) => void): Promise<number> {
  await using cluster = await testCluster({ kinds: [...(operandManager().kinds ?? [])] });
  await kubectlCreate(cluster, "x", { a: "0", old: "1" });
  cluster.run(operandManager());
  await cluster.untilIdle();
  injectFaults(cluster);
  const data = async (): Promise<unknown> => (await cluster.get(ConfigMap, "x"))?.data;
  await cluster.apply(Operand, { name: "a", spec: { steadyState: [config("x", { a: "1", first: "1" })] } });
  await calm(cluster);
  expect(await cluster.untilSettled(Operand, "a")).toBeReady();
  expect(await data()).toEqual({ a: "1", first: "1" });
  const before = await cluster.get(ConfigMap, "x");
  await cluster.apply(Operand, { name: "b", spec: { steadyState: [config("x", { a: "1", second: "1" })] } });
  await calm(cluster);
  expect(await data()).toEqual({ a: "1", first: "1", second: "1" });
  await cluster.apply(Operand, { name: "a", spec: { steadyState: [] } });
  await calm(cluster);
  expect(await data()).toEqual({ a: "1", second: "1" });
  expect(await cluster.untilSettled(Operand, "b")).toBeReady();
  const after = await cluster.get(ConfigMap, "x");
  expect(after?.metadata.uid).toBe(before?.metadata.uid);
  expect(after?.metadata.labels?.["team"]).toBeUndefined();
  expect(after?.metadata.managedFields?.filter(({ operation }) => operation === "Apply")).toHaveLength(1);
  return cluster.faults.count(isWrite);
}

describe("fields of former managers are removed, and nothing else,", () => {
  const faults: readonly Fault[] = [
    { kind: "refused" },
    { kind: "response-lost" },
    { kind: "status", reason: "Conflict" },
    { kind: "crash" },
  ];

  test.each(faults)("when any one write fails with %j", async (fault) => {
    const clean = await adoptAndMove(() => {});
    expect(clean).toBeGreaterThan(5);
    for (let nth = 1; nth <= clean; nth++) await adoptAndMove((cluster) => cluster.faults.failNth(nth, fault, isWrite));
  });
});

test("fields of an Operand that does not exist are taken over with its label", async () => {
  await using cluster = await testCluster();
  const client = new Client({ fetch: cluster.fetch, fieldManager: "operand.levelset.dev/gone" });
  const metadata = { namespace: "default", name: "x", labels: { [partLabel("gone")]: "hash" } };
  await client.apply(ConfigMap, { metadata, data: { a: "1", old: "1" } });
  cluster.run(operandManager());
  await cluster.apply(Operand, { name: "a", spec: { steadyState: [config("x", { a: "1" })] } });
  expect(await cluster.untilSettled(Operand, "a")).toBeReady();
  const after = await cluster.get(ConfigMap, "x");
  expect(after?.data).toEqual({ a: "1" });
  expect(after?.metadata.labels).not.toHaveProperty([partLabel("gone")]);
});

test("an applied object is not read for its managers, and EnsureExists takes over nothing", async () => {
  await using cluster = await testCluster();
  const annotations = { "operand.levelset.dev/mode": "EnsureExists" };
  await kubectlCreate(cluster, "once", { old: "1" });
  await kubectlCreate(cluster, "x", { old: "1" });
  cluster.run(operandManager());
  const ensured = { ...config("once", { new: "1" }), metadata: { name: "once", namespace: "default", annotations } };
  const set = { adoption: "Always" as const, steadyState: [ensured, config("x", { new: "1" })] };
  await cluster.apply(Operand, { name: "a", spec: set });
  expect(await cluster.untilSettled(Operand, "a")).toBeReady();
  expect((await cluster.get(ConfigMap, "once"))?.data).toEqual({ old: "1" });
  const isRead: RequestFilter = (request) => isCall(request) && request.path.includes("/configmaps/x");
  const before = cluster.faults.count(isRead);
  await cluster.patch(ConfigMap, "x", { metadata: { labels: { "example.com/note": "1" } } });
  await calm(cluster);
  expect(cluster.faults.count(isRead)).toBe(before);
});
