import { ConfigMap, kind, s } from "@levelset/core";
import type { Runnable } from "@levelset/core";
import { isWatch, seededRandom } from "@levelset/core/testing";
import type { Fault, RequestFilter } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { child } from "../index.ts";

const Shop = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Shop",
  spec: s.object({ child: s.string().optional(), text: s.string().default("") }),
});

interface Hold {
  readonly owned: boolean;
  readonly protect: boolean;
}

const shops = (hold: Hold): Runnable =>
  operator(Shop, [
    child(Shop, "Settings", {
      ...hold,
      kind: ConfigMap,
      desired: ({ spec }) =>
        spec.child === undefined ? undefined : { metadata: { name: spec.child }, data: { text: spec.text } },
    }),
  ]);

const isCall: RequestFilter = (request) => !isWatch(request);

async function calm(cluster: TestCluster, hold: Hold): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await cluster.untilIdle();
    if (cluster.faults.isCrashed) {
      cluster.faults.restart();
      cluster.run(shops(hold));
    }
    await cluster.clock.advance(60_000);
  }
  await cluster.untilIdle();
}

/**
 * Creates, changes, renames, removes, recreates a child and deletes it with its owner, under faults. Returns the number
 * of requests.
 */
async function runLifecycle(hold: Hold, injectFaults: (cluster: TestCluster) => void): Promise<number> {
  await using cluster = await testCluster();
  cluster.run(shops(hold));
  injectFaults(cluster);
  await cluster.create(ConfigMap, { name: "theirs", data: { text: "theirs" } });
  await cluster.create(Shop, { name: "a", spec: {} });
  const reached = async (spec: object, children: readonly string[]): Promise<void> => {
    await cluster.patch(Shop, "a", { spec });
    await calm(cluster, hold);
    expect(await cluster.untilSettled(Shop, "a")).toBeReady();
    const there = await cluster.list(ConfigMap, "default");
    expect(there.map(({ metadata, data }) => `${metadata.name} ${data?.["text"]}`)).toEqual(children);
  };
  await reached({ child: "b", text: "1" }, ["b 1", "theirs theirs"]);
  await reached({ text: "2" }, ["b 2", "theirs theirs"]);
  await reached({ child: "c" }, ["c 2", "theirs theirs"]);
  await reached({ child: null }, ["theirs theirs"]);
  await reached({ child: "d" }, ["d 2", "theirs theirs"]);
  await cluster.delete(Shop, "a");
  await calm(cluster, hold);
  await cluster.untilDeleted(Shop, "a");
  expect((await cluster.list(ConfigMap, "default")).map(({ metadata }) => metadata.name)).toEqual(["theirs"]);
  return cluster.faults.count(isCall);
}

const HOLDS: readonly Hold[] = [
  { owned: true, protect: true },
  { owned: false, protect: false },
];

describe.each(HOLDS)("a child with %j ends as desired and leaves no objects behind", (hold) => {
  const faults: readonly Fault[] = [
    { kind: "refused" },
    { kind: "response-lost" },
    { kind: "status", reason: "Conflict" },
    { kind: "crash" },
  ];

  test.each(faults)("when any one request fails with %j", async (fault) => {
    const clean = await runLifecycle(hold, () => {});
    expect(clean).toBeGreaterThan(8);
    for (let nth = 1; nth <= clean; nth++)
      await runLifecycle(hold, (cluster) => cluster.faults.failNth(nth, fault, isCall));
  });

  test("when its watches are delayed", async () => {
    const lag = seededRandom(7);
    const calls = await runLifecycle(hold, (cluster) => cluster.faults.delayResponses(() => lag.next() * 5_000));
    expect(calls).toBeGreaterThan(8);
  });
});
