import { realClock, realRandom, silentLogger } from "@levelset/core";
import type { FleetStore } from "@levelset/fleet";
import type { StoreWorld } from "@levelset/fleet/server";
import { afterAll, beforeAll } from "vitest";

/** The dependencies of stores in tests. */
export const WORLD: StoreWorld = { clock: realClock, random: realRandom, logger: silentLogger };

/** Opens empty stores. */
export interface StoreHarness extends AsyncDisposable {
  /** Opens an empty store with separate tables. */
  open(): Promise<FleetStore>;
}

/** Starts a harness before the tests of a suite and disposes it after them. Returns a getter for it. */
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
