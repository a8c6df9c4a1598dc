import { findCondition } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import simple, { Simple } from "./simple.ts";

describe("Simple", () => {
  test("10/5 becomes quotient 2, remainder 0 and Ready at its generation", async () => {
    await using cluster = await testCluster();
    cluster.run(simple);
    await cluster.apply(Simple, { name: "a", spec: { dividend: 10, divisor: 5 } });
    const object = await cluster.untilSettled(Simple, "a");
    expect(object).toBeReady();
    expect(object.status).toMatchObject({ quotient: 2, remainder: 0, observedGeneration: 1 });
    expect(object.status?.conditions?.[0]).toMatchObject({
      type: "Ready",
      status: "True",
      reason: "Ready",
      message: "Setup complete",
    });
    expect(object.status?.conditions?.map(({ type }) => type)).toEqual(["Ready", "InputReady"]);
    expect(object.metadata.finalizers).toBeUndefined();
  });

  test("10/0 is an error that needs a person: Ready mirrors it, and no quotient is claimed", async () => {
    await using cluster = await testCluster();
    cluster.run(simple);
    await cluster.apply(Simple, { name: "a", spec: { dividend: 10, divisor: 0 } });
    const object = await cluster.untilSettled(Simple, "a");
    const expected = { severity: "Error", reason: "Error", message: "division by zero" } as const;
    expect(object).toHaveCondition("InputReady", "False", expected);
    expect(object).toHaveCondition("Ready", "False", expected);
    expect(object.status).not.toHaveProperty("quotient");
  });

  test("division by zero needs a person; an edit of the spec fixes it", async () => {
    await using cluster = await testCluster();
    cluster.run(simple);
    await cluster.apply(Simple, { name: "a", spec: { dividend: 10, divisor: 0 } });
    expect(await cluster.untilSettled(Simple, "a")).toHaveCondition("InputReady", "False", { severity: "Error" });
    await cluster.patch(Simple, "a", { spec: { divisor: 5 } });
    expect(await cluster.untilSettled(Simple, "a")).toBeReady();
  });

  test("a spec that breaks after Ready clears the old result; no version ever claims the new generation Ready", async () => {
    await using cluster = await testCluster();
    cluster.run(simple);
    await cluster.apply(Simple, { name: "a", spec: { dividend: 10, divisor: 5 } });
    await cluster.untilSettled(Simple, "a");
    await cluster.patch(Simple, "a", { spec: { divisor: 0 } });
    const broken = await cluster.untilSettled(Simple, "a");
    expect(broken.status).not.toHaveProperty("quotient");
    expect(broken.status?.observedGeneration).toBe(2);
    for (const { status } of cluster
      .history(Simple, "a")
      .filter((version) => version.status?.observedGeneration === 2)) {
      expect(findCondition(status?.conditions, "Ready")?.status).toBe("False");
    }
    await cluster.patch(Simple, "a", { spec: { divisor: 3 } });
    const fixed = await cluster.untilSettled(Simple, "a");
    expect(fixed).toBeReady();
    expect(fixed.status).toMatchObject({ quotient: 3, remainder: 1, observedGeneration: 3 });
  });

  test("a settled object is not written again, neither on resync nor after a restart of the operator", async () => {
    await using cluster = await testCluster();
    const first = cluster.run(simple);
    await cluster.apply(Simple, { name: "a", spec: { dividend: 7, divisor: 2 } });
    const { metadata } = await cluster.untilSettled(Simple, "a");
    expect(cluster.writes(Simple, "a")).toBe(1);
    await first.stop();
    const before = cluster.faults.count(isWrite);
    cluster.run(simple);
    await cluster.clock.advance(3_600_000);
    expect((await cluster.untilSettled(Simple, "a")).metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect(cluster.faults.count(isWrite)).toBe(before);
  });

  test("the server rejects a spec of the wrong type and names the field", async () => {
    await using cluster = await testCluster({ kinds: [Simple] });
    // The compiler rejects this spec too. A YAML file is not compiled.
    const spec = { dividend: "ten", divisor: 5 } as unknown as { dividend: number; divisor: number };
    await expect(cluster.create(Simple, { name: "a", spec })).rejects.toMatchObject({
      reason: "Invalid",
      details: { causes: [{ reason: "FieldValueTypeInvalid", field: "spec.dividend" }] },
    });
    expect(await cluster.get(Simple, "a")).toBeUndefined();
  });

  test("any sequence of edits ends reconciled, at the latest generation", async () => {
    await using cluster = await testCluster({ seed: 3 });
    cluster.run(simple);
    await cluster.apply(Simple, { name: "a", spec: { dividend: 100, divisor: 1 } });
    for (let divisor = 2; divisor < 30; divisor++) await cluster.patch(Simple, "a", { spec: { divisor } });
    const object = await cluster.untilSettled(Simple, "a");
    expect(object).toBeReady();
    expect(object.status).toMatchObject({ observedGeneration: object.metadata.generation, quotient: 3, remainder: 13 });
  });
});
