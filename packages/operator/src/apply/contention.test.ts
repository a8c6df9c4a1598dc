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

/** A writer that wants red, and the object that it writes. */
class Scene {
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

  /** One run: writes unless the object is as desired or held. */
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

  /** Runs, is undone, and so on. */
  async fight(rounds: number, everyMs: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      this.run();
      this.live = map("blue");
      await this.clock.advance(everyMs);
    }
  }
}

describe("contention", () => {
  test("lets few writes pass, however fast and for however long another client undoes them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 300 }), async (gaps) => {
        const scene = new Scene();
        for (const gap of gaps) await scene.fight(1, gap);
        const now = scene.clock.now();
        // The first, five that are undone, and one for each delay of 1, 2, 4 … 256, 300 s; slower rounds than the window count for nothing.
        const fastest = 6 + 9 + now / 300_000;
        const slowest = now / (CONTENTION.windowMs / CONTENTION.max);
        expect(scene.writes).toBeLessThanOrEqual(fastest + slowest);
      }),
      { numRuns: 50 },
    );
  });

  test("is reported from the fifth write on that another client undid", async () => {
    const scene = new Scene();
    await scene.fight(5, 20);
    expect(scene.reports).toEqual([]);
    await scene.fight(1, 20);
    expect(scene.reports).toMatchObject([{ isNew: true, dispute: { kind: "field", field: "data.color" } }]);
    expect(scene.run()).toMatchObject({ isNew: false });
    expect(scene.writes).toBe(6);
  });

  test("is over when the object stays as desired for a window after our last write, and not before", async () => {
    const scene = new Scene();
    await scene.fight(6, 20);
    await scene.clock.advance(1_000);
    expect(scene.run()).toMatchObject({ afterMs: CONTENTION.windowMs });
    await scene.clock.advance(CONTENTION.windowMs - 1);
    expect(scene.run()).toMatchObject({ isNew: false, afterMs: 1 });
    await scene.clock.advance(1);
    expect(scene.run()).toBeUndefined();
    scene.live = map("blue");
    expect([scene.run(), scene.live]).toEqual([undefined, map("red")]);
  });

  test("starts anew with another desired state, which is written at once", async () => {
    const scene = new Scene();
    await scene.fight(20, 20);
    expect(scene.run()?.afterMs).toBeGreaterThan(0);
    expect(scene.run("green")).toBeUndefined();
    expect(scene.live).toEqual(map("green"));
  });

  test("is none where the object is undone no more often than the limit says", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 30_001, max: 10 * MINUTE }), { maxLength: 50 }), async (gaps) => {
        const scene = new Scene();
        for (const gap of gaps) await scene.fight(1, gap);
        expect(scene.reports).toEqual([]);
        expect(scene.writes).toBe(gaps.length);
      }),
      { numRuns: 50 },
    );
  });

  test("does not count writes that change nothing, as where the server keeps a value in another form", () => {
    const scene = new Scene();
    for (let round = 0; round < 50; round++) {
      const contention = scene.of();
      expect(contention.hold()).toBeUndefined();
      expect(contention.wrote(map("RED"), map("RED"))).toBeUndefined();
    }
  });

  test("does not count what is missing after we removed it ourselves", () => {
    const scene = new Scene();
    for (let round = 0; round < 50; round++) {
      expect(scene.of().wrote(undefined, map("red"))).toBeUndefined();
      scene.of().forget();
    }
  });

  test("is counted for each object, and the objects written longest ago are forgotten first", async () => {
    const scene = new Scene(2);
    await scene.fight(6, 20);
    expect(scene.of("red", "other").hold()).toBeUndefined();
    expect(scene.of().hold()).toBeDefined();
    for (const name of ["d", "e"]) scene.of("red", name).wrote(undefined, map("red"));
    expect(scene.of().hold()).toBeUndefined();
  });
});
