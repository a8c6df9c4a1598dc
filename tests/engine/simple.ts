import { findCondition, isReady } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { expect } from "vitest";
import simple, { Simple } from "../../examples/01-simple/simple.ts";
import type { Scenarios } from "./scenario.ts";
import type { Stage } from "./stage.ts";

/** Whether the status of an object speaks of its latest spec. */
const isCurrent = ({ metadata, status }: ObjectOf<typeof Simple>): boolean =>
  status?.observedGeneration === metadata.generation;

function create(stage: Stage, name: string, dividend: number, divisor: number): Promise<ObjectOf<typeof Simple>> {
  return stage.create(Simple, { metadata: { name }, spec: { dividend, divisor } });
}

/** Scenarios with the operator that divides. */
export const SIMPLE: Scenarios = {
  "1 · divide: 10/5 becomes 2 remainder 0, Ready first of the conditions, at its generation": async (stage) => {
    await stage.run(simple);
    await create(stage, "a", 10, 5);
    const { metadata, status } = await stage.until(Simple, "a", isReady);
    expect(status).toMatchObject({ quotient: 2, remainder: 0, observedGeneration: metadata.generation });
    const ready = { type: "Ready", status: "True", reason: "Ready", message: "Setup complete" };
    expect(status?.conditions?.[0]).toMatchObject(ready);
  },

  "2 · divide by zero: the input is at fault, Ready mirrors all four fields, and there is no quotient": async (
    stage,
  ) => {
    await stage.run(simple);
    await create(stage, "a", 10, 0);
    const { status } = await stage.until(Simple, "a", isCurrent);
    const expected = { status: "False", severity: "Error", reason: "Error", message: "division by zero" };
    expect(findCondition(status?.conditions, "InputReady")).toMatchObject(expected);
    expect(findCondition(status?.conditions, "Ready")).toMatchObject(expected);
    expect(status).not.toHaveProperty("quotient");
  },

  "4 · break after ready: no version that speaks of the new generation is Ready, and the old result goes": async (
    stage,
  ) => {
    await stage.run(simple);
    await create(stage, "a", 10, 5);
    const ready = await stage.until(Simple, "a", isReady);
    await stage.patch(Simple, "a", { spec: { divisor: 0 } });
    const broken = await stage.until(Simple, "a", isCurrent);
    const versions = await stage.versions(Simple, ready, broken);
    const claimed = versions
      .filter(({ status }) => status?.observedGeneration === 2)
      .map(({ status }) => findCondition(status?.conditions, "Ready")?.status);
    expect(new Set(claimed)).toEqual(new Set(["False"]));
    expect(broken.status).not.toHaveProperty("quotient");
  },

  "6 · no needless finalizer: a kind without cleanup gets none, and deletion returns with the object gone": async (
    stage,
  ) => {
    await stage.run(simple);
    await create(stage, "a", 10, 5);
    const ready = await stage.until(Simple, "a", isReady);
    expect(ready.metadata.finalizers).toBeUndefined();
    await stage.delete(Simple, "a");
    expect(await stage.find(Simple, "a")).toBeUndefined();
  },

  "26 · steady state: fifty ready objects, a minute, cut watches and a second process cost no write": async (stage) => {
    const first = await stage.run(simple);
    const names = Array.from({ length: 50 }, (_, index) => `s${index}`);
    for (const name of names) await create(stage, name, 10, 5);
    const versions = async (): Promise<readonly string[]> => {
      const all: string[] = [];
      for (const name of names) all.push((await stage.until(Simple, name, isReady)).metadata.resourceVersion);
      return all;
    };
    const before = await versions();
    const writes = stage.place.faults.count(isWrite);
    await stage.place.idle(30_000);
    stage.place.faults.cutWatches();
    await stage.place.idle(30_000);
    await first.stop();
    await stage.run(simple);
    // It comes to a new object after those that were there.
    await create(stage, "last", 10, 5);
    await stage.until(Simple, "last", isReady);
    expect(stage.place.faults.count(isWrite)).toBe(writes + 1);
    expect(await versions()).toEqual(before);
  },
};
