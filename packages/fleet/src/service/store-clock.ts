import type { Clock } from "@levelset/core";
import type { FleetStore } from "../store/index.ts";

/** A clock whose wall time is that of a store. Its monotonic time and its timers are those of the process. */
export function storeClock(store: Pick<FleetStore, "now">, clock: Clock): Clock {
  return {
    now: () => store.now(clock),
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    after: (ms, run) => clock.after(ms, run),
  };
}
