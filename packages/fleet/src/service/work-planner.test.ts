import { VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { testKind, OneResource } from "../resource/fleet.fixture.ts";
import { DEFAULT_TTL } from "../resource/index.ts";
import type { RefreshTtl } from "../resource/index.ts";
import { WorkPlanner } from "./work-planner.ts";

/** Returns a planner, and how often it has read the TTLs. */
function planner(ttls: ReadonlyMap<string, RefreshTtl> = new Map()): {
  readonly clock: VirtualClock;
  readonly planner: WorkPlanner;
  readonly reads: () => number;
} {
  const clock = new VirtualClock(0);
  let reads = 0;
  const store = {
    ttls: async (): Promise<ReadonlyMap<string, RefreshTtl>> => {
      reads += 1;
      return ttls;
    },
    now: () => clock.now(),
  };
  return { clock, planner: new WorkPlanner({ store, clock, cacheMs: 5_000 }), reads: () => reads };
}

describe("the TTLs", () => {
  test("are read once for concurrent callers, and again when they are old", async () => {
    const { clock, planner: one, reads } = planner();
    await Promise.all([one.refresh(), one.refresh(), one.refresh()]);
    await clock.advance(4_999);
    await one.refresh();
    expect(reads()).toBe(1);
    await clock.advance(1);
    await one.refresh();
    expect(reads()).toBe(2);
  });

  test("are those that the Sentinel published for the kind", async () => {
    const { planner: one } = planner(new Map([["Cluster", { ...DEFAULT_TTL, readyMs: 100_000, notReadyMs: 3_000 }]]));
    const { kind, resource } = new OneResource(testKind({ required_adapters: ["a"] }));
    expect(one.work({ kind, resource, statuses: [] }).refreshTime).toBe(10_000);
    await one.refresh();
    expect(one.work({ kind, resource, statuses: [] }).refreshTime).toBe(3_000);
  });
});

describe("a different result of an adapter triggers a pulse", () => {
  test.each([
    [["a", "b"], ["False"], true],
    [["a"], ["False"], false],
    [["a", "b"], ["True", "True"], false],
  ] as const)("those of %j that reported %j: %s", (required, reports, isNotified) => {
    const one = new OneResource(testKind({ required_adapters: required }));
    for (const [index, available] of reports.entries()) {
      one.report({ adapter: required[index] ?? "a", available, generation: 1, time: index });
    }
    const { kind, resource } = one;
    expect(planner().planner.triggersPulse({ kind, resource, statuses: [...one.statuses.values()] }, "a")).toBe(
      isNotified,
    );
  });
});
