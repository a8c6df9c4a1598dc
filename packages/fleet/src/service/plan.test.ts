import { VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { kindWith, OneResource } from "../resource/fleet.fixture.ts";
import type { RefreshTtl } from "../resource/index.ts";
import { Planner } from "./plan.ts";

/** A planner, and how often it has asked for the TTLs. */
function planner(ttls: ReadonlyMap<string, RefreshTtl> = new Map()): {
  readonly clock: VirtualClock;
  readonly planner: Planner;
  readonly asked: () => number;
} {
  const clock = new VirtualClock(0);
  let asked = 0;
  const store = {
    ttls: async (): Promise<ReadonlyMap<string, RefreshTtl>> => {
      asked += 1;
      return ttls;
    },
    now: () => clock.now(),
  };
  return { clock, planner: new Planner({ store, clock, cacheMs: 5_000 }), asked: () => asked };
}

describe("the TTLs", () => {
  test("are read once by however many ask at the same time, and again when they are old", async () => {
    const { clock, planner: one, asked } = planner();
    await Promise.all([one.refresh(), one.refresh(), one.refresh()]);
    await clock.advance(4_999);
    await one.refresh();
    expect(asked()).toBe(1);
    await clock.advance(1);
    await one.refresh();
    expect(asked()).toBe(2);
  });

  test("are those of the kind that the Sentinel has told", async () => {
    const { planner: one } = planner(new Map([["Cluster", { readyMs: 100_000, notReadyMs: 3_000 }]]));
    const { kind, resource } = new OneResource(kindWith({ required_adapters: ["a"] }));
    expect(one.work({ kind, resource, statuses: [] }).refreshTime).toBe(10_000);
    await one.refresh();
    expect(one.work({ kind, resource, statuses: [] }).refreshTime).toBe(3_000);
  });
});

describe("another verdict of an adapter wakes", () => {
  test.each([
    [["a", "b"], ["False"], true],
    [["a"], ["False"], false],
    [["a", "b"], ["True", "True"], false],
  ] as const)("those of %j that reported %j: %s", (required, reports, isWoken) => {
    const one = new OneResource(kindWith({ required_adapters: required }));
    for (const [index, available] of reports.entries()) {
      one.report({ adapter: required[index] ?? "a", available, generation: 1, time: index });
    }
    const { kind, resource } = one;
    expect(planner().planner.wakes({ kind, resource, statuses: [...one.statuses.values()] }, "a")).toBe(isWoken);
  });
});
