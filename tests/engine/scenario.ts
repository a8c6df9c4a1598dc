import { afterAll, beforeAll, describe, test } from "vitest";
import { Stage } from "./stage.ts";
import type { Place } from "./stage.ts";

/** What must hold on any cluster, by a sentence that begins with the scenario's number. */
export type Scenarios = Readonly<Record<string, (stage: Stage) => Promise<void>>>;

/** Where scenarios play: something that lives as long as the suite, and a place on it for each of them. */
export interface Theatre extends AsyncDisposable {
  readonly open: () => Promise<Place>;
}

/** A scenario takes seconds on a real server, at most. */
const SCENARIO_MS = 60_000;

/** Defines a test for each scenario, each on a place of its own. */
export function playScenarios(where: string, scenarios: Scenarios, build: () => Promise<Theatre>): void {
  describe(where, () => {
    let theatre: Theatre | undefined;
    beforeAll(async () => {
      theatre = await build();
    });
    afterAll(() => theatre?.[Symbol.asyncDispose]());

    for (const [sentence, check] of Object.entries(scenarios)) {
      test(sentence, { timeout: SCENARIO_MS }, async () => {
        if (theatre === undefined) throw new Error("the cluster did not start");
        await using stage = new Stage(await theatre.open());
        await check(stage);
      });
    }
  });
}
