import { ConfigMap } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CONTENTION, Contention } from "./contention.ts";
import type { Contest, ObjectContention } from "./contention.ts";

const MINUTE = 60_000;

function map(color: string): KubeObject & { readonly data: object } {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "c", namespace: "default", uid: "u", resourceVersion: "1" },
    data: { color },
  };
}

/** A writer that sets the color red, and its object. */
class Scenario {
  readonly clock = new VirtualClock(0);
  readonly contention: Contention;
  live: KubeObject | undefined = map("blue");
  writes = 0;
  reports: Contest[] = [];

  constructor(objectsMax?: number) {
    this.contention = new Contention(this.clock, CONTENTION, objectsMax);
  }

  of(desired: unknown = "red", name = "c"): ObjectContention {
    const target = { writer: "owner", kind: ConfigMap, key: { namespace: "default", name }, desired };
    return this.contention.of(target, (contest) => this.reports.push(contest));
  }

  /** Runs once: writes unless the object is up to date or its write is delayed. */
  run(color = "red"): Contest | undefined {
    const contention = this.of(color);
    if (this.live !== undefined && JSON.stringify(this.live) === JSON.stringify(map(color))) return contention.seen();
    const held = contention.hold();
    if (held !== undefined) return held;
    const [before, after] = [this.live, map(color)];
    this.writes += 1;
    this.live = after;
    return contention.wrote(before, after);
  }

  /** Alternates runs with writes of another client that revert them. */
  async fight(rounds: number, everyMs: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      this.run();
      this.live = map("blue");
      await this.clock.advance(everyMs);
    }
  }
}

describe("contention", () => {
  test("limits the writes, regardless of how often another client reverts them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 300 }), async (gaps) => {
        const scenario = new Scenario();
        for (const gap of gaps) await scenario.fight(1, gap);
        const now = scenario.clock.now();
        // The first write, five that are reverted, and one for each delay of 1, 2, 4 … 256, 300 s. Rounds that are
        // slower than the window are not counted.
        const fastest = 6 + 9 + now / 300_000;
        const slowest = now / (CONTENTION.windowMs / CONTENTION.max);
        expect(scenario.writes).toBeLessThanOrEqual(fastest + slowest);
      }),
      { numRuns: 50 },
    );
  });

  test("is reported from the fifth reverted write on", async () => {
    const scenario = new Scenario();
    await scenario.fight(5, 20);
    expect(scenario.reports).toEqual([]);
    await scenario.fight(1, 20);
    expect(scenario.reports).toMatchObject([{ isNew: true, dispute: { kind: "field", field: "data.color" } }]);
    expect(scenario.run()).toMatchObject({ isNew: false });
    expect(scenario.writes).toBe(6);
  });

  test("ends when the object is not changed for a window after our last write", async () => {
    const scenario = new Scenario();
    await scenario.fight(6, 20);
    await scenario.clock.advance(1_000);
    expect(scenario.run()).toMatchObject({ afterMs: CONTENTION.windowMs });
    await scenario.clock.advance(CONTENTION.windowMs - 1);
    expect(scenario.run()).toMatchObject({ isNew: false, afterMs: 1 });
    await scenario.clock.advance(1);
    expect(scenario.run()).toBeUndefined();
    scenario.live = map("blue");
    expect([scenario.run(), scenario.live]).toEqual([undefined, map("red")]);
  });

  test("is reset by another desired state, which is written at once", async () => {
    const scenario = new Scenario();
    await scenario.fight(20, 20);
    expect(scenario.run()?.afterMs).toBeGreaterThan(0);
    expect(scenario.run("green")).toBeUndefined();
    expect(scenario.live).toEqual(map("green"));
  });

  test("does not start while writes are reverted less often than the limit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 30_001, max: 10 * MINUTE }), { maxLength: 50 }), async (gaps) => {
        const scenario = new Scenario();
        for (const gap of gaps) await scenario.fight(1, gap);
        expect(scenario.reports).toEqual([]);
        expect(scenario.writes).toBe(gaps.length);
      }),
      { numRuns: 50 },
    );
  });

  test("does not count writes without changes, for example if the server normalizes a value", () => {
    const scenario = new Scenario();
    for (let round = 0; round < 50; round++) {
      const contention = scenario.of();
      expect(contention.hold()).toBeUndefined();
      expect(contention.wrote(map("RED"), map("RED"))).toBeUndefined();
    }
  });

  test("does not count objects that we deleted ourselves", () => {
    const scenario = new Scenario();
    for (let round = 0; round < 50; round++) {
      expect(scenario.of().wrote(undefined, map("red"))).toBeUndefined();
      scenario.of().forget();
    }
  });

  test("is counted per object, and the least recently written objects are evicted first", async () => {
    const scenario = new Scenario(2);
    await scenario.fight(6, 20);
    expect(scenario.of("red", "other").hold()).toBeUndefined();
    expect(scenario.of().hold()).toBeDefined();
    for (const name of ["d", "e"]) scenario.of("red", name).wrote(undefined, map("red"));
    expect(scenario.of().hold()).toBeUndefined();
  });
});
