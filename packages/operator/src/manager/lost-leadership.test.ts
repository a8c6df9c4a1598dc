import { kind, s } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { ok, step } from "../engine/index.ts";
import type { Step } from "../engine/index.ts";
import { external } from "../steps/index.ts";
import { manager, operator } from "./index.ts";

const Store = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Store",
  spec: s.object({ size: s.int32() }),
  status: s.object({}),
});
/** Longer than any lease: the machine was suspended. */
const SUSPENDED_MS = 3_600_000;
/** Longer than the backoff of a failed run and a period of renewal. */
const RENEWED_MS = 60_000;

function runAsLeader(cluster: TestCluster, own: Step<typeof Store>): void {
  const leaderElection = { namespace: "default", name: "stores", identity: "one" };
  cluster.run(manager([operator(Store, [own])], { leaderElection }));
}

test("a process that was suspended starts no step before it leads again", async () => {
  await using cluster = await testCluster();
  const sizes: number[] = [];
  const record = step(Store, "Record", {
    do: ({ spec }) => {
      sizes.push(spec.size);
      return ok();
    },
  });
  runAsLeader(cluster, record);
  await cluster.apply(Store, { name: "a", spec: { size: 1 } });
  expect(await cluster.untilSettled(Store, "a")).toBeReady();
  expect(sizes).toContain(1);
  cluster.clock.stepWall(SUSPENDED_MS);
  await cluster.patch(Store, "a", { spec: { size: 2 } });
  await cluster.untilIdle();
  expect(sizes).not.toContain(2);
  await cluster.clock.advance(RENEWED_MS);
  expect(await cluster.untilSettled(Store, "a")).toBeReady();
  expect(sizes).toContain(2);
});

test("a process that was suspended between two calls of an external service changes nothing before it leads again", async () => {
  await using cluster = await testCluster();
  const calls: string[] = [];
  const bucket = external(Store, "Bucket", {
    observe: async () => {
      calls.push("observe");
      if (calls.length === 1) cluster.clock.stepWall(SUSPENDED_MS);
      return calls.includes("apply") ? { state: "current", value: undefined } : { state: "absent" };
    },
    apply: async () => {
      calls.push("apply");
      return { state: "current", value: undefined };
    },
  });
  runAsLeader(cluster, bucket);
  await cluster.apply(Store, { name: "a", spec: { size: 1 } });
  await cluster.untilIdle();
  expect(calls).toEqual(["observe"]);
  await cluster.clock.advance(RENEWED_MS);
  expect(await cluster.untilSettled(Store, "a")).toBeReady();
  expect(calls.slice(0, 3)).toEqual(["observe", "observe", "apply"]);
});
