import { silentLogger } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { StoreUnavailable } from "../store/index.ts";
import type { Completion } from "../store/index.ts";
import { Completions } from "./completions.ts";
import { SentinelMetrics } from "./sentinel-metrics.ts";

function completion(number: number): Completion {
  const plan = { urgent: 1, refresh: 1 };
  return { resourceId: `r-${number}`, holder: "me", plan, pulsedTime: undefined, refreshTime: undefined };
}

/** Completions that are told to a store, which does with the n-th telling what the test says. */
class Scene {
  readonly clock = new VirtualClock();
  readonly told: string[][] = [];
  readonly stop = new AbortController();
  readonly completions: Completions;
  readonly running: Promise<void>;

  constructor(take: (call: number) => Promise<void> = async () => {}) {
    const { clock } = this;
    let calls = 0;
    const store = {
      complete: async (batch: readonly Completion[]): Promise<void> => {
        calls += 1;
        await take(calls);
        this.told.push(batch.map(({ resourceId }) => resourceId));
      },
    };
    const random = seededRandom(1);
    this.completions = new Completions({ store, clock, random, logger: silentLogger, metrics: new SentinelMetrics() });
    this.running = this.completions.run(this.stop.signal, () => {});
  }

  add(from: number, to: number): void {
    for (let number = from; number < to; number += 1) this.completions.add(completion(number));
  }
}

const names = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => `r-${from + index}`);

test("what comes while the store is told of others is told after them", async () => {
  const gate = Promise.withResolvers<void>();
  const scene = new Scene((call) => (call === 1 ? gate.promise : Promise.resolve()));
  scene.add(0, 3);
  await scene.clock.advance(20);
  scene.add(3, 5);
  gate.resolve();
  await scene.clock.advance(1_000);
  expect(scene.told).toEqual([names(0, 3), names(3, 5)]);
  scene.stop.abort();
  await scene.running;
});

test("what the store does not take is told again, with what came since", async () => {
  const scene = new Scene(async (call) => {
    if (call === 1) throw new StoreUnavailable("away");
  });
  scene.add(0, 2);
  await scene.clock.advance(20);
  scene.add(2, 3);
  await scene.clock.advance(10_000);
  expect(scene.told).toEqual([names(0, 3)]);
  scene.stop.abort();
  await scene.running;
});

test("at the end all is told that is left, however much, as long as the store takes it", async () => {
  const scene = new Scene();
  scene.add(0, 700);
  scene.stop.abort();
  await scene.running;
  expect(scene.told.flat()).toEqual(names(0, 700));
  expect(scene.completions.count).toBe(0);
});
