import { compareResourceVersions, findCondition, isReady } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import type { RunRecord } from "../controller/index.ts";
import { operator } from "../manager/index.ts";
import type { Operator } from "../manager/index.ts";
import { ok, step } from "../step/index.ts";
import { Child, childOperator, Parent, report } from "./family.fixture.ts";
import { subresource } from "./subresource.ts";
import type { SubCrHold } from "./sub-crs.ts";

/** A parent with one child of its own name. */
function parentOperator(hold: SubCrHold = {}, runs: RunRecord[] = []): Operator<Parent> {
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
  test("that was never reconciled gives Unknown/Init, and the result names it", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    const runs: RunRecord[] = [];
    cluster.run(parentOperator({}, runs));
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    const parent = await cluster.settled(Parent, "a");
    expect(parent).toHaveCondition("ChildReady", "Unknown", { reason: "Init", message: "child/a: not reconciled yet" });
    expect(parent).toHaveCondition("Ready", "Unknown");
    expect(runs.at(-1)?.report).toMatchObject({
      result: {
        kind: "wait",
        on: [{ apiVersion: "test.levelset.dev/v1", kind: "Child", namespace: "default", name: "a" }],
      },
    });
  });

  test("counts only when its status speaks of its latest spec; the parent's own observedGeneration does not wait", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.rest();
    await report(cluster, "a", 1, "True");
    expect(await cluster.settled(Parent, "a")).toBeReady();
    await cluster.patch(Parent, "a", { spec: { value: 2 } });
    const waiting = await cluster.settled(Parent, "a");
    expect(await cluster.get(Child, "a")).toMatchObject({ metadata: { generation: 2 }, spec: { value: 2 } });
    expect(waiting.status?.observedGeneration).toBe(2);
    expect(waiting).toHaveCondition("ChildReady", "Unknown", {
      reason: "Behind",
      message: "child/a: observed generation 1 of 2",
    });
    expect(waiting).toHaveCondition("Ready", "Unknown");
    expect(waiting.status).not.toHaveProperty("sum");
    await report(cluster, "a", 2, "True");
    expect(await cluster.settled(Parent, "a")).toBeReady();
  });

  test("passes on how bad it is, why, and in which words", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.rest();
    for (const severity of ["Info", "Warning", "Error"] as const) {
      await report(cluster, "a", 1, "False", { severity, reason: "DiskFull", message: `no space: ${severity}` });
      const expected = { severity, reason: "DiskFull", message: `child/a: no space: ${severity}` };
      const parent = await cluster.settled(Parent, "a");
      expect(parent).toHaveCondition("ChildReady", "False", expected);
      expect(parent).toHaveCondition("Ready", "False", expected);
    }
    await report(cluster, "a", 1, "False");
    expect(await cluster.settled(Parent, "a")).toHaveCondition("ChildReady", "False", { severity: "Error" });
  });

  test("whose status is ahead of its spec is read again and never taken for ready", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.rest();
    await report(cluster, "a", 7, "True");
    expect(await cluster.settled(Parent, "a")).toHaveCondition("ChildReady", "Unknown", {
      reason: "Ahead",
      message: "child/a: the status is about generation 7, ahead of generation 1",
    });
    const reads = cluster.requests().length;
    await cluster.clock.advance(60_000);
    expect(cluster.requests().length - reads).toBe(2);
    // The next state is on its way to our copy, but not there yet.
    cluster.faults.failNthEvent(1, { kind: "delay", ms: 10_000 }, ({ path }) => path.includes("children"));
    await report(cluster, "a", 1, "True");
    await cluster.patch(Parent, "a", { metadata: { annotations: { "levelset.dev/reconcile": "now" } } });
    await cluster.clock.advance(1_000);
    expect(await cluster.settled(Parent, "a")).toHaveCondition("ChildReady", "Unknown", {
      message: /our copy is old$/u,
    });
    await cluster.clock.advance(10_000);
    expect(await cluster.settled(Parent, "a")).toBeReady();
  });

  test("that somebody else owns is left alone", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    await cluster.create(Child, { name: "a", spec: { value: 9 } });
    await report(cluster, "a", 1, "True");
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    expect(await cluster.settled(Parent, "a")).toHaveCondition("ChildReady", "False", { reason: "NotOurs" });
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
    expect(await cluster.settled(Parent, "a")).toBeReady();
    await cluster.patch(Parent, "a", { spec: { value: 0 } });
    expect(await cluster.settled(Parent, "a")).toBeReady();
    await cluster.gone(Child, "a");
  });

  test("in another namespace goes before its parent does", async () => {
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
    expect(await cluster.settled(Parent, "a")).toBeReady();
    await cluster.patch(Child, "a", { metadata: { finalizers: ["other.dev/hold"] } }, "kube-system");
    await cluster.delete(Parent, "a");
    expect(await cluster.settled(Parent, "a")).toHaveCondition("Ready", "False", {
      reason: "Deleting",
      message: /child\/a/u,
    });
    await cluster.patch(Child, "a", { metadata: { finalizers: [] } }, "kube-system");
    await cluster.gone(Parent, "a");
    await cluster.gone(Child, "a", "kube-system");
  });
});

describe("a protected sub CR", () => {
  test("that somebody deletes stays and is reported; with its parent it goes", async () => {
    await using cluster = await testCluster();
    cluster.run(parentOperator({ protect: true }));
    cluster.run(childOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.clock.advance(5_000);
    expect(await cluster.settled(Parent, "a")).toBeReady();
    await cluster.delete(Child, "a");
    const parent = await cluster.settled(Parent, "a");
    expect(parent).toHaveCondition("ChildReady", "False", { severity: "Error", reason: "ChildDeleted" });
    expect(await cluster.get(Child, "a")).toMatchObject({
      metadata: { finalizers: ["test.levelset.dev/parent-child"] },
    });
    await cluster.delete(Parent, "a");
    await cluster.gone(Parent, "a");
    await cluster.gone(Child, "a");
  });
});

describe("parent and child together", () => {
  test("a change costs the parent one write for each state that the child goes through, a settled pair none", async () => {
    await using cluster = await testCluster();
    cluster.run(parentOperator({ protect: true }));
    cluster.run(childOperator());
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.clock.advance(5_000);
    const before = cluster.writes(Parent, "a");
    await cluster.patch(Parent, "a", { spec: { value: 2 } });
    await cluster.clock.advance(5_000);
    const parent = await cluster.settled(Parent, "a");
    expect(parent).toBeReady();
    expect(parent.status?.sum).toBe(2);
    // Not seen yet, being worked on, ready.
    expect(cluster.writes(Parent, "a") - before).toBe(3);
    const writes = cluster.faults.count(isWrite);
    await cluster.clock.advance(3_600_000);
    expect(cluster.faults.count(isWrite)).toBe(writes);
  });

  test("however late the watch is, Ready never stands beside a child that has not reached its spec", async () => {
    await using cluster = await testCluster();
    cluster.run(parentOperator());
    cluster.run(childOperator(300));
    await cluster.apply(Parent, { name: "a", spec: { value: 1 } });
    await cluster.clock.advance(5_000);
    for (const [round, lagMs] of [50, 700, 2_500, 0].entries()) {
      cluster.faults.lag(lagMs);
      await cluster.patch(Parent, "a", { spec: { value: 10 + round } });
      await cluster.clock.advance(round * 400);
      await cluster.patch(Parent, "a", { spec: { value: 20 + round } });
      await cluster.clock.advance(20_000);
      expect(await cluster.settled(Parent, "a")).toBeReady();
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
