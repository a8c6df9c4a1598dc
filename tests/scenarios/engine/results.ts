import { findCondition, isReady, Secret } from "@levelset/core";
import type { Condition, ObjectOf } from "@levelset/core";
import { ok, operator, reference, requeueAfter, step, wait } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import { recorder, Thing } from "./thing.ts";

const hasReady = ({ status }: ObjectOf<Thing>): boolean => findCondition(status?.conditions, "Ready") !== undefined;

function times(object: ObjectOf<Thing>): readonly string[] {
  return (object.status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime);
}

function ready(object: ObjectOf<Thing>): Condition | undefined {
  return findCondition(object.status?.conditions, "Ready");
}

/** Scenarios about the results of a step. */
export const RESULTS: Scenarios = {
  "a step error without a condition: every post runs, Ready reports it, and the delays grow": async (cluster) => {
    const { calls, step } = recorder();
    const at: number[] = [];
    const broken = (): never => {
      at.push(cluster.now());
      throw new Error("no route to host");
    };
    const { condition: _none, ...b } = step("B", { do: broken, post: () => ok() });
    const steps = [step("A", { post: () => ok() }), b, step("C", { post: () => ok() })];
    await cluster.run(operator(Thing, steps));
    await cluster.create(Thing, { metadata: { name: "a" }, spec: {} });
    const object = await cluster.until(Thing, "a", hasReady);
    expect(calls.slice(0, 5)).toEqual(["A.do", "B.do", "A.post", "B.post", "C.post"]);
    expect(ready(object)).toMatchObject({ status: "False", reason: "Error", message: "no route to host" });
    expect(findCondition(object.status?.conditions, "B")).toMatchObject({ status: "False", reason: "Error" });
    await cluster.eventually("four runs", () => at.length >= 4);
    const gaps = at.slice(1, 4).map((time, index) => time - (at[index] ?? 0));
    // Starts at 200 ms, doubles, minus a fifth of jitter. A busy machine makes delays longer, never shorter.
    for (const [index, shortest] of [155, 315, 635].entries()) expect(gaps[index]).toBeGreaterThan(shortest);
    expect(gaps.reduce((sum, gap) => sum + gap)).toBeLessThan(1_800 * cluster.timeoutFactor);
  },

  "requeueAfter schedules the next run; an earlier event runs at once and does not duplicate it": async (cluster) => {
    const at: number[] = [];
    const slow = step(Thing, "Slow", {
      do: ({ spec }) => {
        at.push(cluster.now());
        return spec.mode === "done" ? ok() : requeueAfter("working", spec.mode === "slow" ? 3_000 : 2_000);
      },
    });
    await cluster.run(operator(Thing, [slow]));
    await cluster.create(Thing, { metadata: { name: "a" }, spec: { mode: "slow" } });
    await cluster.until(Thing, "a", hasReady);
    await cluster.eventually("two runs", () => at.length >= 2);
    const gap = (at[1] ?? 0) - (at[0] ?? 0);
    expect(gap).toBeGreaterThan(2_500);
    expect(gap).toBeLessThan(3_500 * cluster.timeoutFactor);

    await cluster.patch(Thing, "a", { spec: { mode: "faster" } });
    await cluster.until(Thing, "a", ({ status }) => status?.observedGeneration === 2);
    await cluster.patch(Thing, "a", { spec: { mode: "done" } });
    await cluster.until(Thing, "a", isReady);
    const runs = at.length;
    // On a real server the timer of the second generation may run before the third generation is written.
    if (cluster.timeoutFactor === 1) expect(runs).toBe(4);
    await cluster.idle(2_600);
    expect(at).toHaveLength(runs);
  },

  "wait sets no timer and no retry, is not Ready, and resumes on an event of a watched object": async (cluster) => {
    let runs = 0;
    const waiting = step(Thing, "Waiting", {
      reads: [reference(Thing, Secret, () => "key")],
      do: ({ get, namespace = "" }) => {
        runs++;
        return get(Secret, { namespace, name: "key" }) === undefined ? wait("no key") : ok();
      },
    });
    await cluster.run(operator(Thing, [waiting]));
    await cluster.create(Thing, { metadata: { name: "a" }, spec: {} });
    const object = await cluster.until(Thing, "a", hasReady);
    expect(ready(object)).toMatchObject({ status: "False", severity: "Info", reason: "Requested", message: "no key" });
    await cluster.idle(30_000);
    expect(runs).toBe(1);
    await cluster.create(Secret, { metadata: { name: "key" } });
    await cluster.until(Thing, "a", isReady);
    expect(runs).toBe(2);
  },

  "transition times change only with the status of a condition, not with its message or further runs": async (
    cluster,
  ) => {
    const check = step(Thing, "Check", {
      condition: "CheckReady",
      do: ({ spec }) => (spec.mode.startsWith("bad") ? wait(spec.mode) : ok()),
    });
    const other = step(Thing, "Other", { condition: "AnotherReady", do: () => ok() });
    await cluster.run(operator(Thing, [other, check]));
    await cluster.create(Thing, { metadata: { name: "a" }, spec: {} });
    const change = async (mode: string): Promise<ObjectOf<Thing>> => {
      await cluster.idle(1_100);
      const { metadata } = await cluster.patch(Thing, "a", { spec: { mode } });
      return cluster.until(Thing, "a", ({ status }) => status?.observedGeneration === metadata.generation);
    };
    const before = await cluster.until(Thing, "a", isReady);
    for (let run = 1; run <= 10; run++) expect(times(await change(`m${run}`))).toEqual(times(before));
    const bad = await change("bad one");
    const [readyAt = "", anotherAt = "", reportAt = ""] = times(bad);
    expect([readyAt > (times(before)[0] ?? ""), anotherAt, reportAt]).toEqual([true, times(before)[1], readyAt]);
    const worse = await change("bad two");
    expect(ready(worse)?.message).toBe("bad two");
    expect(times(worse)).toEqual(times(bad));
  },

  "a step that changes the spec is rejected at once, without a request": async (cluster) => {
    const meddle = step(Thing, "Meddle", {
      do: ({ spec }) => {
        Object.assign(spec, { mode: "changed" });
        return ok();
      },
    });
    await cluster.run(operator(Thing, [meddle]));
    await cluster.create(Thing, { metadata: { name: "a" }, spec: {} });
    const object = await cluster.until(Thing, "a", hasReady);
    expect(findCondition(object.status?.conditions, "Meddle")).toMatchObject({ status: "False", reason: "Error" });
    expect([object.spec.mode, object.metadata.generation]).toEqual(["fine", 1]);
  },
};
