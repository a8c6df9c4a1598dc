import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, requeueAfter } from "./index.ts";
import { create, FINALIZER, noop, recorder, Thing } from "./thing.fixture.ts";

describe("deletion", () => {
  test("the finalizer is added in a write of its own before do runs", async () => {
    await using cluster = await testCluster();
    const { step } = recorder();
    cluster.run(operator(Thing, [step("A", { cleanup: noop })]));
    await create(cluster);
    const [created, first, second] = cluster.history(Thing, "a");
    expect(created?.metadata.finalizers).toBeUndefined();
    expect(first?.metadata.finalizers).toEqual([FINALIZER]);
    expect(first?.status).toBeUndefined();
    expect(second?.status?.observedGeneration).toBe(1);
  });

  test("cleanups run in reverse order, restart from the last step after a failure, and do is never called", async () => {
    await using cluster = await testCluster();
    const { calls, step } = recorder();
    let blocked = true;
    const unblockLater = (): ReturnType<typeof requeueAfter> | ReturnType<typeof ok> => {
      if (!blocked) return ok();
      blocked = false;
      return requeueAfter("bucket not empty", 5_000);
    };
    cluster.run(
      operator(Thing, [
        step("A", { cleanup: noop }),
        step("B", { cleanup: unblockLater }),
        step("C", { cleanup: noop }),
      ]),
    );
    await create(cluster);
    calls.length = 0;
    await cluster.delete(Thing, "a");
    const object = await cluster.untilSettled(Thing, "a");
    expect(calls).toEqual(["C.cleanup", "B.cleanup"]);
    expect(object.status?.observedGeneration).toBe(2);
    expect(object).toHaveCondition("Ready", "False", { reason: "Deleting", message: "BReady: bucket not empty" });
    expect(object.metadata.finalizers).toEqual([FINALIZER]);
    await cluster.clock.advance(5_000);
    await cluster.untilDeleted(Thing, "a");
    expect(calls).toEqual(["C.cleanup", "B.cleanup", "C.cleanup", "B.cleanup", "A.cleanup"]);
  });

  test("a deleted object without our finalizer runs neither do nor cleanup, and gets no finalizer", async () => {
    await using cluster = await testCluster({ kinds: [Thing] });
    const { calls, step } = recorder();
    await cluster.create(Thing, { name: "a", finalizers: ["other.dev/hold"], spec: {} });
    await cluster.delete(Thing, "a");
    cluster.run(operator(Thing, [step("A", { cleanup: noop })]));
    const object = await cluster.untilSettled(Thing, "a");
    expect(calls).toEqual([]);
    expect(object.metadata.finalizers).toEqual(["other.dev/hold"]);
    expect(object).toHaveCondition("Ready", "False", { reason: "Deleting" });
  });

  test("removes our finalizer and no other", async () => {
    await using cluster = await testCluster();
    const { step } = recorder();
    cluster.run(operator(Thing, [step("A", { cleanup: noop })]));
    await cluster.apply(Thing, { name: "a", finalizers: ["other.dev/hold"], spec: {} });
    await cluster.untilSettled(Thing, "a");
    await cluster.delete(Thing, "a");
    expect((await cluster.untilSettled(Thing, "a")).metadata.finalizers).toEqual(["other.dev/hold"]);
  });

  test("an operator without cleanups removes its old finalizer", async () => {
    await using cluster = await testCluster();
    const { step } = recorder();
    const running = cluster.run(operator(Thing, [step("A", { cleanup: noop })]));
    await create(cluster);
    await running.stop();
    cluster.run(operator(Thing, [recorder().step("A")]));
    expect((await cluster.untilSettled(Thing, "a")).metadata.finalizers ?? []).toEqual([]);
  });
});
