import { realClock, realRandom, silentLogger } from "@levelset/core";
import type { FleetStore, StoreWorld } from "@levelset/fleet";
import { afterAll, beforeAll } from "vitest";

/** The world as the stores of the tests see it. */
export const WORLD: StoreWorld = { clock: realClock, random: realRandom, logger: silentLogger };

/** Opens empty stores. */
export interface StoreHarness extends AsyncDisposable {
  /** An empty one, with tables of its own. */
  open(): Promise<FleetStore>;
}

/** Starts a harness before the tests of a suite and ends it after them. Answers with it, once it is there. */
export function suiteHarness<T extends AsyncDisposable>(start: () => Promise<T>): () => T {
  let harness: T | undefined;
  beforeAll(async () => {
    harness = await start();
  });
  afterAll(() => harness?.[Symbol.asyncDispose]());
  return () => {
    if (harness === undefined) throw new Error("the harness did not start");
    return harness;
  };
}
