import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import { dependency } from "./dependency.ts";
import { Child, Parent, reportStatus } from "../child/parent-child.fixture.ts";

const OPTIONS = {
  condition: "ChildReady",
  kind: Child,
  name: ({ spec }: { readonly spec: { readonly members: readonly string[] } }) => spec.members[0] ?? "",
};

describe("a CR of another client", () => {
  test.each([
    [false, "Info"],
    [true, "Warning"],
  ] as const)("is waited for without polling (mustExist %s: %s), and never written", async (mustExist, severity) => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(operator(Parent, [dependency(Parent, "Child", { ...OPTIONS, mustExist })]));
    await cluster.apply(Parent, { name: "p", spec: { value: 1 } });
    expect(await cluster.untilSettled(Parent, "p")).toHaveCondition("ChildReady", "False", {
      severity,
      message: "child/a does not exist",
    });
    await cluster.clock.advance(600_000);
    expect(cluster.writes(Parent, "p")).toBe(1);
    await cluster.create(Child, { name: "a", spec: { value: 1 } });
    expect(await cluster.untilSettled(Parent, "p")).toHaveCondition("ChildReady", "Unknown", { reason: "Init" });
    await reportStatus(cluster, "a", 1, "True");
    expect(await cluster.untilSettled(Parent, "p")).toBeReady();
    await cluster.patch(Child, "a", { spec: { value: 2 } });
    expect(await cluster.untilSettled(Parent, "p")).toHaveCondition("ChildReady", "Unknown", { reason: "Behind" });
    expect(cluster.writes(Child, "a")).toBe(0);
    expect((await cluster.untilSettled(Parent, "p")).metadata.finalizers ?? []).toEqual([]);
  });

  test("is never ready while it is being deleted, regardless of its status", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(operator(Parent, [dependency(Parent, "Child", OPTIONS)]));
    await cluster.create(Child, { name: "a", finalizers: ["other.dev/hold"], spec: { value: 1 } });
    await reportStatus(cluster, "a", 1, "True");
    await cluster.apply(Parent, { name: "p", spec: { value: 1 } });
    expect(await cluster.untilSettled(Parent, "p")).toBeReady();
    await cluster.delete(Child, "a");
    expect(await cluster.untilSettled(Parent, "p")).toHaveCondition("ChildReady", "False", {
      message: "child/a is being deleted",
    });
  });

  test("without a name is an error that causes no further requests", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(operator(Parent, [dependency(Parent, "Child", OPTIONS)]));
    await cluster.apply(Parent, { name: "p", spec: { value: 1, members: [] } });
    expect(await cluster.untilSettled(Parent, "p")).toHaveCondition("ChildReady", "False", {
      severity: "Error",
      message: "step Child: the object names no Child",
    });
    const writes = cluster.faults.count(isWrite);
    await cluster.clock.advance(600_000);
    expect(cluster.faults.count(isWrite)).toBe(writes);
  });
});
