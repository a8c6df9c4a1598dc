import type { Clock } from "@levelset/core";
import type { FleetStore } from "../store/index.ts";

/** Returns a clock with the wall time of a store. Monotonic time and timers are those of the process. */
export function storeClock(store: Pick<FleetStore, "now">, clock: Clock): Clock {
  return {
    now: () => store.now(clock),
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, run) => clock.after(ms, run),
  };
}
