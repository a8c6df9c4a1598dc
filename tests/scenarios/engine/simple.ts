import { findCondition, isReady } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { expect } from "vitest";
import simple, { Simple } from "../../../examples/01-simple/simple.ts";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";

/** Reports whether the status of an object is of its latest spec. */
const isCurrent = ({ metadata, status }: ObjectOf<typeof Simple>): boolean =>
  status?.observedGeneration === metadata.generation;

function create(cluster: Cluster, name: string, dividend: number, divisor: number): Promise<ObjectOf<typeof Simple>> {
  return cluster.create(Simple, { metadata: { name }, spec: { dividend, divisor } });
}

/** Scenarios with the operator that divides. */
export const SIMPLE: Scenarios = {
  "10/5 yields 2 remainder 0, with Ready as the first condition, at its generation": async (cluster) => {
    await cluster.run(simple);
    await create(cluster, "a", 10, 5);
    const { metadata, status } = await cluster.until(Simple, "a", isReady);
    expect(status).toMatchObject({ quotient: 2, remainder: 0, observedGeneration: metadata.generation });
    const ready = { type: "Ready", status: "True", reason: "Ready", message: "Setup complete" };
    expect(status?.conditions?.[0]).toMatchObject(ready);
  },

  "a division by zero is an input error, Ready mirrors all four fields, and there is no quotient": async (cluster) => {
    await cluster.run(simple);
    await create(cluster, "a", 10, 0);
    const { status } = await cluster.until(Simple, "a", isCurrent);
    const expected = { status: "False", severity: "Error", reason: "Error", message: "division by zero" };
    expect(findCondition(status?.conditions, "InputReady")).toMatchObject(expected);
    expect(findCondition(status?.conditions, "Ready")).toMatchObject(expected);
    expect(status).not.toHaveProperty("quotient");
  },

  "after a breaking change no version of the new generation is Ready, and the old result is removed": async (
    cluster,
  ) => {
    await cluster.run(simple);
    await create(cluster, "a", 10, 5);
    const ready = await cluster.until(Simple, "a", isReady);
    await cluster.patch(Simple, "a", { spec: { divisor: 0 } });
    const broken = await cluster.until(Simple, "a", isCurrent);
    const versions = await cluster.versions(Simple, ready, broken);
    const claimed = versions
      .filter(({ status }) => status?.observedGeneration === 2)
      .map(({ status }) => findCondition(status?.conditions, "Ready")?.status);
    expect(new Set(claimed)).toEqual(new Set(["False"]));
    expect(broken.status).not.toHaveProperty("quotient");
  },

  "a kind without cleanup gets no finalizer, and deletion removes the object at once": async (cluster) => {
    await cluster.run(simple);
    await create(cluster, "a", 10, 5);
    const ready = await cluster.until(Simple, "a", isReady);
    expect(ready.metadata.finalizers).toBeUndefined();
    await cluster.delete(Simple, "a");
    expect(await cluster.find(Simple, "a")).toBeUndefined();
  },

  "fifty ready objects cause no writes in a minute with cut watches and a second process": async (cluster) => {
    const first = await cluster.run(simple);
    const names = Array.from({ length: 50 }, (_, index) => `s${index}`);
    for (const name of names) await create(cluster, name, 10, 5);
    const versions = async (): Promise<readonly string[]> => {
      const all: string[] = [];
      for (const name of names) all.push((await cluster.until(Simple, name, isReady)).metadata.resourceVersion);
      return all;
    };
    const before = await versions();
    const writes = cluster.faults.count(isWrite);
    await cluster.idle(30_000);
    cluster.faults.cutWatches();
    await cluster.idle(30_000);
    await first.stop();
    await cluster.run(simple);
    // A new object is processed after the existing ones.
    await create(cluster, "last", 10, 5);
    await cluster.until(Simple, "last", isReady);
    expect(cluster.faults.count(isWrite)).toBe(writes + 1);
    expect(await versions()).toEqual(before);
  },
};
