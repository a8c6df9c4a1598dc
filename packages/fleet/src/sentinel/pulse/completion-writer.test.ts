import { silentLogger } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../store/index.ts";
import type { Completion } from "../../store/index.ts";
import { CompletionWriter } from "./completion-writer.ts";
import { SentinelMetrics } from "../sentinel-metrics.ts";

function completion(number: number): Completion {
  const counters = { urgent: 1, refresh: 1 };
  return { resourceId: `r-${number}`, holder: "me", counters, pulsedTime: undefined, refreshTime: undefined };
}

/** A CompletionWriter with a store whose n-th call is controlled by the test. */
class Scenario {
  readonly clock = new VirtualClock();
  readonly written: string[][] = [];
  readonly stop = new AbortController();
  readonly completions: CompletionWriter;
  readonly running: Promise<void>;

  constructor(onCall: (call: number) => Promise<void> = async () => {}) {
    const { clock } = this;
    let calls = 0;
    const store = {
      complete: async (batch: readonly Completion[]): Promise<void> => {
        calls += 1;
        await onCall(calls);
        this.written.push(batch.map(({ resourceId }) => resourceId));
      },
    };
    const random = seededRandom(1);
    this.completions = new CompletionWriter({
      store,
      clock,
      random,
      logger: silentLogger,
      metrics: new SentinelMetrics(),
    });
    this.running = this.completions.run(this.stop.signal, () => {});
  }

  add(from: number, to: number): void {
    for (let number = from; number < to; number += 1) this.completions.add(completion(number));
  }
}

const names = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => `r-${from + index}`);

test("completions added during a write are written after it", async () => {
  const gate = Promise.withResolvers<void>();
  const scenario = new Scenario((call) => (call === 1 ? gate.promise : Promise.resolve()));
  scenario.add(0, 3);
  await scenario.clock.advance(20);
  scenario.add(3, 5);
  gate.resolve();
  await scenario.clock.advance(1_000);
  expect(scenario.written).toEqual([names(0, 3), names(3, 5)]);
  scenario.stop.abort();
  await scenario.running;
});

test("a failed batch is written again, with the completions added since", async () => {
  const scenario = new Scenario(async (call) => {
    if (call === 1) throw new StoreUnavailableError("away");
  });
  scenario.add(0, 2);
  await scenario.clock.advance(20);
  scenario.add(2, 3);
  await scenario.clock.advance(10_000);
  expect(scenario.written).toEqual([names(0, 3)]);
  scenario.stop.abort();
  await scenario.running;
});

test("at the end all remaining completions are written, as long as the store accepts them", async () => {
  const scenario = new Scenario();
  scenario.add(0, 700);
  scenario.stop.abort();
  await scenario.running;
  expect(scenario.written.flat()).toEqual(names(0, 700));
  expect(scenario.completions.count).toBe(0);
});
