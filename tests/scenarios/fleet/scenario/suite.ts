import { afterAll, beforeAll, describe } from "vitest";
import type { FleetSetup, RunningFleet, StartFleet } from "../../../support/fleet/running-fleet.ts";
import type { FleetUser } from "../../../support/fleet/fleet-user.ts";

/** A fleet that the tests of one suite share. */
export interface Shared {
  readonly fleet: RunningFleet;
  readonly user: FleetUser;
}

/** Defines a suite whose tests share one fleet. */
export function describeOn(
  name: string,
  start: StartFleet,
  define: (shared: () => Shared) => void,
  setup: FleetSetup = {},
): void {
  describe(name, () => {
    let running: RunningFleet | undefined;
    beforeAll(async () => {
      running = await start(setup);
    });
    afterAll(() => running?.[Symbol.asyncDispose]());
    define(() => {
      if (running === undefined) throw new Error("the fleet did not start");
      return { fleet: running, user: running.user };
    });
  });
}
