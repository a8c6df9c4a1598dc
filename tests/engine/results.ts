import { findCondition, isReady, Secret } from "@levelset/core";
import type { Condition, ObjectOf } from "@levelset/core";
import { ok, operator, reference, requeueAfter, step, wait } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "./scenario.ts";
import { recorder, Thing } from "./thing.ts";

const hasReady = ({ status }: ObjectOf<Thing>): boolean => findCondition(status?.conditions, "Ready") !== undefined;

function times(object: ObjectOf<Thing>): readonly string[] {
  return (object.status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime);
}

function ready(object: ObjectOf<Thing>): Condition | undefined {
  return findCondition(object.status?.conditions, "Ready");
}

/** Scenarios about what a step may answer, and what follows. */
export const RESULTS: Scenarios = {
  "22 · step error without condition: every post runs, Ready tells, and the delays grow": async (stage) => {
    const { calls, step } = recorder();
    const at: number[] = [];
    const broken = (): never => {
      at.push(stage.place.now());
      throw new Error("no route to host");
    };
    const { condition: _none, ...b } = step("B", { do: broken, post: () => ok() });
    const steps = [step("A", { post: () => ok() }), b, step("C", { post: () => ok() })];
    await stage.run(operator(Thing, steps));
    await stage.create(Thing, { metadata: { name: "a" }, spec: {} });
    const object = await stage.until(Thing, "a", hasReady);
    expect(calls.slice(0, 5)).toEqual(["A.do", "B.do", "A.post", "B.post", "C.post"]);
    expect(ready(object)).toMatchObject({ status: "False", reason: "Error", message: "no route to host" });
    expect(findCondition(object.status?.conditions, "B")).toMatchObject({ status: "False", reason: "Error" });
    while (at.length < 4) await stage.place.idle(100);
    const gaps = at.slice(1, 4).map((time, index) => time - (at[index] ?? 0));
    // From 200 ms on, doubled, less a fifth. A busy machine makes them longer, never shorter.
    for (const [index, shortest] of [155, 315, 635].entries()) expect(gaps[index]).toBeGreaterThan(shortest);
    expect(gaps.reduce((sum, gap) => sum + gap)).toBeLessThan(1_800 * stage.place.patience);
  },

  "24 · requeue-after: the next run comes at its time; an earlier event runs at once and does not double it": async (
    stage,
  ) => {
    const at: number[] = [];
    const slow = step(Thing, "Slow", {
      do: ({ spec }) => {
        at.push(stage.place.now());
        return spec.mode === "done" ? ok() : requeueAfter("working", spec.mode === "slow" ? 3_000 : 2_000);
      },
    });
    await stage.run(operator(Thing, [slow]));
    await stage.create(Thing, { metadata: { name: "a" }, spec: { mode: "slow" } });
    await stage.until(Thing, "a", hasReady);
    while (at.length < 2) await stage.place.idle(100);
    const gap = (at[1] ?? 0) - (at[0] ?? 0);
    expect(gap).toBeGreaterThan(2_500);
    expect(gap).toBeLessThan(3_500 * stage.place.patience);

    await stage.patch(Thing, "a", { spec: { mode: "faster" } });
    await stage.until(Thing, "a", ({ status }) => status?.observedGeneration === 2);
    await stage.patch(Thing, "a", { spec: { mode: "done" } });
    await stage.until(Thing, "a", isReady);
    expect(at).toHaveLength(4);
    await stage.place.idle(2_600);
    expect(at).toHaveLength(4);
  },

  "25 · wait: no timer, no retry, not Ready; an event on a watched object resumes": async (stage) => {
    let runs = 0;
    const waiting = step(Thing, "Waiting", {
      reads: [reference(Thing, Secret, () => "key")],
      do: ({ get, namespace = "" }) => {
        runs++;
        return get(Secret, { namespace, name: "key" }) === undefined ? wait("no key") : ok();
      },
    });
    await stage.run(operator(Thing, [waiting]));
    await stage.create(Thing, { metadata: { name: "a" }, spec: {} });
    const object = await stage.until(Thing, "a", hasReady);
    expect(ready(object)).toMatchObject({ status: "False", severity: "Info", reason: "Requested", message: "no key" });
    await stage.place.idle(30_000);
    expect(runs).toBe(1);
    await stage.create(Secret, { metadata: { name: "key" } });
    await stage.until(Thing, "a", isReady);
    expect(runs).toBe(2);
  },

  "27 · transition times: ten runs of a ready object move none, another message neither, another status its own":
    async (stage) => {
      const tell = step(Thing, "Tell", {
        condition: "TellReady",
        do: ({ spec }) => (spec.mode.startsWith("bad") ? wait(spec.mode) : ok()),
      });
      const other = step(Thing, "Other", { condition: "AnotherReady", do: () => ok() });
      await stage.run(operator(Thing, [other, tell]));
      await stage.create(Thing, { metadata: { name: "a" }, spec: {} });
      const change = async (mode: string): Promise<ObjectOf<Thing>> => {
        await stage.place.idle(1_100);
        const { metadata } = await stage.patch(Thing, "a", { spec: { mode } });
        return stage.until(Thing, "a", ({ status }) => status?.observedGeneration === metadata.generation);
      };
      const before = await stage.until(Thing, "a", isReady);
      for (let run = 1; run <= 10; run++) expect(times(await change(`m${run}`))).toEqual(times(before));
      const bad = await change("bad one");
      const [readyAt = "", anotherAt = "", tellAt = ""] = times(bad);
      expect([readyAt > (times(before)[0] ?? ""), anotherAt, tellAt]).toEqual([true, times(before)[1], readyAt]);
      const worse = await change("bad two");
      expect(ready(worse)?.message).toBe("bad two");
      expect(times(worse)).toEqual(times(bad));
    },

  "43 · spec immutability: a step that changes spec is refused at once, and the server never hears of it": async (
    stage,
  ) => {
    const meddle = step(Thing, "Meddle", {
      do: ({ spec }) => {
        Object.assign(spec, { mode: "changed" });
        return ok();
      },
    });
    await stage.run(operator(Thing, [meddle]));
    await stage.create(Thing, { metadata: { name: "a" }, spec: {} });
    const object = await stage.until(Thing, "a", hasReady);
    expect(findCondition(object.status?.conditions, "Meddle")).toMatchObject({ status: "False", reason: "Error" });
    expect([object.spec.mode, object.metadata.generation]).toEqual(["fine", 1]);
  },
};
