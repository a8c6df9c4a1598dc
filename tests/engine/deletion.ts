import { findCondition, isReady } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { ok, operator, requeueAfter } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "./scenario.ts";
import { FINALIZER, recorder, Thing } from "./thing.ts";

/** Scenarios about the end of objects. */
export const DELETION: Scenarios = {
  "17 · reverse order, resume: C, B, then C, B, A; do is not called; one write takes the finalizer off": async (
    stage,
  ) => {
    const { calls, step } = recorder();
    let isBlocked = true;
    const blockedOnce = (): ReturnType<typeof requeueAfter> | ReturnType<typeof ok> => {
      if (!isBlocked) return ok();
      isBlocked = false;
      return requeueAfter("bucket not empty", 500);
    };
    const free = (): ReturnType<typeof ok> => ok();
    const steps = [step("A", { cleanup: free }), step("B", { cleanup: blockedOnce }), step("C", { cleanup: free })];
    await stage.run(operator(Thing, steps));
    await stage.create(Thing, { metadata: { name: "a" }, spec: {} });
    await stage.until(Thing, "a", isReady);
    calls.length = 0;
    const { faults } = stage.place;
    const metadataWrites = (): number =>
      faults.count((request) => isWrite(request) && request.path.endsWith("/things/a"));
    const before = metadataWrites();
    await stage.delete(Thing, "a");
    await stage.gone(Thing, "a");
    expect(calls.map((call) => call.replace(".cleanup", ""))).toEqual(["C", "B", "C", "B", "A"]);
    expect(metadataWrites()).toBe(before + 1);
  },

  "19 · deleted before the first reconcile: no do, no cleanup, no finalizer of ours": async (stage) => {
    await stage.place.install(Thing);
    const hold = "other.levelset.dev/hold";
    await stage.create(Thing, { metadata: { name: "a", finalizers: [hold] }, spec: {} });
    await stage.delete(Thing, "a");
    const { calls, step } = recorder();
    await stage.run(operator(Thing, [step("A", { cleanup: () => ok() })]));
    const object = await stage.until(Thing, "a", ({ status }) => status?.observedGeneration === 2);
    expect(findCondition(object.status?.conditions, "Ready")).toMatchObject({ status: "False", reason: "Deleting" });
    expect(object.metadata.finalizers).toEqual([hold]);
    await stage.patch(Thing, "a", { metadata: { finalizers: null } });
    await stage.gone(Thing, "a");
    expect(calls).toEqual([]);
  },

  "21 · delete generation: deletion makes generation 2, and status speaks of it while terminating": async (stage) => {
    const { step } = recorder();
    let isHeld = true;
    const held = step("A", { cleanup: () => (isHeld ? requeueAfter("held", 500) : ok()) });
    await stage.run(operator(Thing, [held]));
    await stage.create(Thing, { metadata: { name: "a" }, spec: {} });
    await stage.until(Thing, "a", isReady);
    await stage.delete(Thing, "a");
    const object = await stage.until(Thing, "a", ({ status }) => status?.observedGeneration === 2);
    expect(object.metadata).toMatchObject({ generation: 2, finalizers: [FINALIZER] });
    expect(object.metadata.deletionTimestamp).toBeDefined();
    const ready = findCondition(object.status?.conditions, "Ready");
    expect(ready).toMatchObject({ status: "False", reason: "Deleting", message: "AReady: held" });
    isHeld = false;
    await stage.gone(Thing, "a");
  },
};
