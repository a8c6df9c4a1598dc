import { findCondition, isReady } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { ok, operator, requeueAfter } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import { FINALIZER, recorder, Thing } from "./thing.ts";

/** Scenarios about deletion. */
export const DELETION: Scenarios = {
  "cleanup runs in reverse order and resumes: C, B, then C, B, A; do is not called; one write removes the finalizer":
    async (cluster) => {
      const { calls, step } = recorder();
      let isBlocked = true;
      const blockedOnce = (): ReturnType<typeof requeueAfter> | ReturnType<typeof ok> => {
        if (!isBlocked) return ok();
        isBlocked = false;
        return requeueAfter("bucket not empty", 500);
      };
      const free = (): ReturnType<typeof ok> => ok();
      const steps = [step("A", { cleanup: free }), step("B", { cleanup: blockedOnce }), step("C", { cleanup: free })];
      await cluster.run(operator(Thing, steps));
      await cluster.create(Thing, { metadata: { name: "a" }, spec: {} });
      await cluster.until(Thing, "a", isReady);
      calls.length = 0;
      const { faults } = cluster;
      const metadataWrites = (): number =>
        faults.count((request) => isWrite(request) && request.path.endsWith("/things/a"));
      const before = metadataWrites();
      await cluster.delete(Thing, "a");
      await cluster.untilDeleted(Thing, "a");
      expect(calls.map((call) => call.replace(".cleanup", ""))).toEqual(["C", "B", "C", "B", "A"]);
      expect(metadataWrites()).toBe(before + 1);
    },

  "an object that is deleted before the first reconcile runs no do and no cleanup, and gets no finalizer": async (
    cluster,
  ) => {
    await cluster.install(Thing);
    const hold = "other.levelset.dev/hold";
    await cluster.create(Thing, { metadata: { name: "a", finalizers: [hold] }, spec: {} });
    await cluster.delete(Thing, "a");
    const { calls, step } = recorder();
    await cluster.run(operator(Thing, [step("A", { cleanup: () => ok() })]));
    const object = await cluster.until(Thing, "a", ({ status }) => status?.observedGeneration === 2);
    expect(findCondition(object.status?.conditions, "Ready")).toMatchObject({ status: "False", reason: "Deleting" });
    expect(object.metadata.finalizers).toEqual([hold]);
    await cluster.patch(Thing, "a", { metadata: { finalizers: null } });
    await cluster.untilDeleted(Thing, "a");
    expect(calls).toEqual([]);
  },

  "deletion increments the generation, and the status of a terminating object is of that generation": async (
    cluster,
  ) => {
    const { step } = recorder();
    let isHeld = true;
    const held = step("A", { cleanup: () => (isHeld ? requeueAfter("held", 500) : ok()) });
    await cluster.run(operator(Thing, [held]));
    await cluster.create(Thing, { metadata: { name: "a" }, spec: {} });
    await cluster.until(Thing, "a", isReady);
    await cluster.delete(Thing, "a");
    const object = await cluster.until(Thing, "a", ({ status }) => status?.observedGeneration === 2);
    expect(object.metadata).toMatchObject({ generation: 2, finalizers: [FINALIZER] });
    expect(object.metadata.deletionTimestamp).toBeDefined();
    const ready = findCondition(object.status?.conditions, "Ready");
    expect(ready).toMatchObject({ status: "False", reason: "Deleting", message: "AReady: held" });
    isHeld = false;
    await cluster.untilDeleted(Thing, "a");
  },
};
