import { compareResourceVersions, findCondition, isReady } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../controller/index.ts";
import { operator } from "../../manager/index.ts";
import type { Operator } from "../../manager/index.ts";
import { ok, step } from "../../engine/index.ts";
import { Child, childOperator, Parent, reportStatus } from "../child/parent-child.fixture.ts";
import { subresource } from "./subresource.ts";
import type { SubCrOwnership } from "./sub-crs.ts";

/** A parent with one child of its own name. */
function parentOperator(hold: SubCrOwnership = {}, runs: RunRecord[] = []): Operator<Parent> {
  const child = subresource(Parent, "Child", {
    condition: "ChildReady",
    kind: Child,
    ...hold,
    desired: ({ name, spec }) => ({ metadata: { name }, spec: { value: spec.value } }),
    status: (req, { status }) => {
      req.status.sum = status?.seen ?? 0;
    },
  });
  const last = step(Parent, "Last", { uses: [child], do: (req) => ok(req.from(child).metadata.uid) });
  return operator(Parent, [child, last], { onRun: (run) => runs.push(run) });
}

describe("a sub CR", () => {
  test("that was never reconciled yields Unknown/Init and is named in the result", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    const runs: RunRecord[] = [];
    cluster.run(parentOperator({}, runs));
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    const parent = await cluster.untilSettled(Parent, "a");
    expect(parent).toHaveCondition("ChildReady", "Unknown", { reason: "Init", message: "child/a: not reconciled yet" });
    expect(parent).toHaveCondition("Ready", "Unknown");
    expect(runs.at(-1)?.report).toMatchObject({
      result: {
        kind: "wait",
        on: [{ apiVersion: "test.levelset.dev/v1", kind: "Child", namespace: "default", name: "a" }],
      },
    });
  });

  test("is ready only if its status is of its latest spec; the parent's observedGeneration does not wait", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.untilIdle();
    await reportStatus(cluster, "a", 1, "True");
    expect(await cluster.untilSettled(Parent, "a")).toBeReady();
    await cluster.patch(Parent, "a", { spec: { value: 2 } });
    const waiting = await cluster.untilSettled(Parent, "a");
    expect(await cluster.get(Child, "a")).toMatchObject({ metadata: { generation: 2 }, spec: { value: 2 } });
    expect(waiting.status?.observedGeneration).toBe(2);
    expect(waiting).toHaveCondition("ChildReady", "Unknown", {
      reason: "Behind",
      message: "child/a: observed generation 1 of 2",
    });
    expect(waiting).toHaveCondition("Ready", "Unknown");
    expect(waiting.status).not.toHaveProperty("sum");
    await reportStatus(cluster, "a", 2, "True");
    expect(await cluster.untilSettled(Parent, "a")).toBeReady();
  });

  test("passes on severity, reason and message", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.untilIdle();
    for (const severity of ["Info", "Warning", "Error"] as const) {
      await reportStatus(cluster, "a", 1, "False", { severity, reason: "DiskFull", message: `no space: ${severity}` });
      const expected = { severity, reason: "DiskFull", message: `child/a: no space: ${severity}` };
      const parent = await cluster.untilSettled(Parent, "a");
      expect(parent).toHaveCondition("ChildReady", "False", expected);
      expect(parent).toHaveCondition("Ready", "False", expected);
    }
    await reportStatus(cluster, "a", 1, "False");
    expect(await cluster.untilSettled(Parent, "a")).toHaveCondition("ChildReady", "False", { severity: "Error" });
  });

  test("whose status is ahead of its spec is read again and never considered ready", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.untilIdle();
    await reportStatus(cluster, "a", 7, "True");
    expect(await cluster.untilSettled(Parent, "a")).toHaveCondition("ChildReady", "Unknown", {
      reason: "Ahead",
      message: "child/a: the status is about generation 7, ahead of generation 1",
    });
    const reads = cluster.requests().length;
    await cluster.clock.advance(60_000);
    expect(cluster.requests().length - reads).toBe(2);
    // The next state has not reached the cache yet.
    cluster.faults.failNthEvent(1, { kind: "delay", ms: 10_000 }, ({ path }) => path.includes("children"));
    await reportStatus(cluster, "a", 1, "True");
    await cluster.patch(Parent, "a", { metadata: { annotations: { "levelset.dev/reconcile": "now" } } });
    await cluster.clock.advance(1_000);
    expect(await cluster.untilSettled(Parent, "a")).toHaveCondition("ChildReady", "Unknown", {
      message: /the cached object is stale$/u,
    });
    await cluster.clock.advance(10_000);
    expect(await cluster.untilSettled(Parent, "a")).toBeReady();
  });

  test("whose own condition has the reason Ahead is waited for without further reads", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.untilIdle();
    await reportStatus(cluster, "a", 1, "False", { severity: "Info", reason: "Ahead", message: "of its schedule" });
    expect(await cluster.untilSettled(Parent, "a")).toHaveCondition("ChildReady", "False", {
      reason: "Ahead",
      message: "child/a: of its schedule",
    });
    const reads = cluster.requests().length;
    await cluster.clock.advance(60_000);
    expect(cluster.requests()).toHaveLength(reads);
  });

  test("of another owner is not touched", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    await cluster.create(Child, { name: "a", spec: { value: 9 } });
    await reportStatus(cluster, "a", 1, "True");
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    expect(await cluster.untilSettled(Parent, "a")).toHaveCondition("ChildReady", "False", { reason: "NotOurs" });
    expect((await cluster.get(Child, "a"))?.spec.value).toBe(9);
  });

  test("that is no longer desired is removed", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    const child = subresource(Parent, "Child", {
      kind: Child,
      protect: true,
      desired: ({ name, spec }) => (spec.value > 0 ? { metadata: { name }, spec: { value: 1 } } : undefined),
    });
    cluster.run(operator(Parent, [child]));
    cluster.run(childOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.clock.advance(5_000);
    expect(await cluster.untilSettled(Parent, "a")).toBeReady();
    await cluster.patch(Parent, "a", { spec: { value: 0 } });
    expect(await cluster.untilSettled(Parent, "a")).toBeReady();
    await cluster.untilDeleted(Child, "a");
  });

  test("in another namespace is deleted before its parent", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    const child = subresource(Parent, "Child", {
      condition: "ChildReady",
      kind: Child,
      owned: false,
      desired: ({ name, spec }) => ({ metadata: { namespace: "kube-system", name }, spec: { value: spec.value } }),
    });
    cluster.run(operator(Parent, [child]));
    cluster.run(childOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.clock.advance(5_000);
    expect(await cluster.untilSettled(Parent, "a")).toBeReady();
    await cluster.patch(Child, "a", { metadata: { finalizers: ["other.dev/hold"] } }, "kube-system");
    await cluster.delete(Parent, "a");
    expect(await cluster.untilSettled(Parent, "a")).toHaveCondition("Ready", "False", {
      reason: "Deleting",
      message: /child\/a/u,
    });
    await cluster.patch(Child, "a", { metadata: { finalizers: [] } }, "kube-system");
    await cluster.untilDeleted(Parent, "a");
    await cluster.untilDeleted(Child, "a", "kube-system");
  });
});

describe("a protected sub CR", () => {
  test("that another client deletes stays and is reported; it is deleted with its parent", async () => {
    await using cluster = await testCluster();
    cluster.run(parentOperator({ protect: true }));
    cluster.run(childOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.clock.advance(5_000);
    expect(await cluster.untilSettled(Parent, "a")).toBeReady();
    await cluster.delete(Child, "a");
    const parent = await cluster.untilSettled(Parent, "a");
    expect(parent).toHaveCondition("ChildReady", "False", { severity: "Error", reason: "ChildDeleted" });
    expect(await cluster.get(Child, "a")).toMatchObject({
      metadata: { finalizers: ["test.levelset.dev/parent-child"] },
    });
    await cluster.delete(Parent, "a");
    await cluster.untilDeleted(Parent, "a");
    await cluster.untilDeleted(Child, "a");
  });
});

describe("parent and child together", () => {
  test("a change causes one parent write for each state of the child, and none once settled", async () => {
    await using cluster = await testCluster();
    cluster.run(parentOperator({ protect: true }));
    cluster.run(childOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.clock.advance(5_000);
    const before = cluster.writes(Parent, "a");
    await cluster.patch(Parent, "a", { spec: { value: 2 } });
    await cluster.clock.advance(5_000);
    const parent = await cluster.untilSettled(Parent, "a");
    expect(parent).toBeReady();
    expect(parent.status?.sum).toBe(2);
    // Not observed yet, progressing, ready.
    expect(cluster.writes(Parent, "a") - before).toBe(3);
    const writes = cluster.faults.count(isWrite);
    await cluster.clock.advance(3_600_000);
    expect(cluster.faults.count(isWrite)).toBe(writes);
  });

  test("Ready is never True before the child has reached its spec, regardless of watch delays", async () => {
    await using cluster = await testCluster();
    cluster.run(parentOperator());
    cluster.run(childOperator(300));
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.clock.advance(5_000);
    for (const [round, lagMs] of [50, 700, 2_500, 0].entries()) {
      cluster.faults.delayResponses(lagMs);
      await cluster.patch(Parent, "a", { spec: { value: 10 + round } });
      await cluster.clock.advance(round * 400);
      await cluster.patch(Parent, "a", { spec: { value: 20 + round } });
      await cluster.clock.advance(20_000);
      expect(await cluster.untilSettled(Parent, "a")).toBeReady();
    }
    const children = cluster.history(Child, "a");
    let checked = 0;
    for (const { metadata, spec, status } of cluster.history(Parent, "a")) {
      const isCurrent = status?.observedGeneration === metadata.generation;
      if (!isCurrent || findCondition(status?.conditions, "Ready")?.status !== "True") continue;
      const then = children.findLast(
        (child) => compareResourceVersions(child.metadata.resourceVersion, metadata.resourceVersion) <= 0,
      );
      expect(then?.spec.value).toBe(spec.value);
      expect(then !== undefined && isReady(then)).toBe(true);
      checked++;
    }
    expect(checked).toBeGreaterThanOrEqual(5);
  });
});
