import { findCondition, isReady } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { expect } from "vitest";
import simple, { Simple } from "../../../examples/01-simple/simple.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Harness } from "../../support/cluster/harness.ts";

/** Reports whether the status of an object is of its latest spec. */
const isCurrent = ({ metadata, status }: ObjectOf<typeof Simple>): boolean =>
  status?.observedGeneration === metadata.generation;

function create(harness: Harness, name: string, dividend: number, divisor: number): Promise<ObjectOf<typeof Simple>> {
  return harness.create(Simple, { metadata: { name }, spec: { dividend, divisor } });
}

/** Scenarios with the operator that divides. */
export const SIMPLE: Scenarios = {
  "10/5 yields 2 remainder 0, with Ready as the first condition, at its generation": async (harness) => {
    await harness.run(simple);
    await create(harness, "a", 10, 5);
    const { metadata, status } = await harness.until(Simple, "a", isReady);
    expect(status).toMatchObject({ quotient: 2, remainder: 0, observedGeneration: metadata.generation });
    const ready = { type: "Ready", status: "True", reason: "Ready", message: "Setup complete" };
    expect(status?.conditions?.[0]).toMatchObject(ready);
  },

  "a division by zero is an input error, Ready mirrors all four fields, and there is no quotient": async (harness) => {
    await harness.run(simple);
    await create(harness, "a", 10, 0);
    const { status } = await harness.until(Simple, "a", isCurrent);
    const expected = { status: "False", severity: "Error", reason: "Error", message: "division by zero" };
    expect(findCondition(status?.conditions, "InputReady")).toMatchObject(expected);
    expect(findCondition(status?.conditions, "Ready")).toMatchObject(expected);
    expect(status).not.toHaveProperty("quotient");
  },

  "after a breaking change no version of the new generation is Ready, and the old result is removed": async (
    harness,
  ) => {
    await harness.run(simple);
    await create(harness, "a", 10, 5);
    const ready = await harness.until(Simple, "a", isReady);
    await harness.patch(Simple, "a", { spec: { divisor: 0 } });
    const broken = await harness.until(Simple, "a", isCurrent);
    const versions = await harness.versions(Simple, ready, broken);
    const claimed = versions
      .filter(({ status }) => status?.observedGeneration === 2)
      .map(({ status }) => findCondition(status?.conditions, "Ready")?.status);
    expect(new Set(claimed)).toEqual(new Set(["False"]));
    expect(broken.status).not.toHaveProperty("quotient");
  },

  "a kind without cleanup gets no finalizer, and deletion removes the object at once": async (harness) => {
    await harness.run(simple);
    await create(harness, "a", 10, 5);
    const ready = await harness.until(Simple, "a", isReady);
    expect(ready.metadata.finalizers).toBeUndefined();
    await harness.delete(Simple, "a");
    expect(await harness.find(Simple, "a")).toBeUndefined();
  },

  "fifty ready objects cause no writes in a minute with cut watches and a second process": async (harness) => {
    const first = await harness.run(simple);
    const names = Array.from({ length: 50 }, (_, index) => `s${index}`);
    for (const name of names) await create(harness, name, 10, 5);
    const versions = async (): Promise<readonly string[]> => {
      const all: string[] = [];
      for (const name of names) all.push((await harness.until(Simple, name, isReady)).metadata.resourceVersion);
      return all;
    };
    const before = await versions();
    const writes = harness.environment.faults.count(isWrite);
    await harness.environment.idle(30_000);
    harness.environment.faults.cutWatches();
    await harness.environment.idle(30_000);
    await first.stop();
    await harness.run(simple);
    // A new object is processed after the existing ones.
    await create(harness, "last", 10, 5);
    await harness.until(Simple, "last", isReady);
    expect(harness.environment.faults.count(isWrite)).toBe(writes + 1);
    expect(await versions()).toEqual(before);
  },
};
