import { afterAll, beforeAll, describe, test } from "vitest";
import { Harness } from "./harness.ts";
import type { TestEnvironment } from "./harness.ts";

/** Scenarios that must hold on any cluster, by title. */
export type Scenarios = Readonly<Record<string, (harness: Harness) => Promise<void>>>;

/** A cluster that lives as long as the suite and provides an environment for each scenario. */
export interface SharedCluster extends AsyncDisposable {
  readonly open: () => Promise<TestEnvironment>;
}

/** A scenario takes seconds on a real server, at most. */
const SCENARIO_MS = 60_000;

/** Defines a test for each scenario, each with its own environment. */
export function describeOnCluster(where: string, scenarios: Scenarios, build: () => Promise<SharedCluster>): void {
  describe(where, () => {
    let sharedCluster: SharedCluster | undefined;
    beforeAll(async () => {
      sharedCluster = await build();
    });
    afterAll(() => sharedCluster?.[Symbol.asyncDispose]());

    for (const [sentence, check] of Object.entries(scenarios)) {
      test(sentence, { timeout: SCENARIO_MS }, async () => {
        if (sharedCluster === undefined) throw new Error("the cluster did not start");
        await using harness = new Harness(await sharedCluster.open());
        await check(harness);
      });
    }
  });
}
