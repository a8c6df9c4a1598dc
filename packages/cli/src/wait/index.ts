/** Waits for objects and fleet resources; prints progress and result, sets the exit code. Begin with `run-wait.ts`. */

export { objectTarget } from "./object-target.ts";
export { runWait } from "./run-wait.ts";
export type { WaitTarget } from "./run-wait.ts";
export {
  addTimeoutFlag,
  addWaitFlag,
  checkWaitFlags,
  parseWaitGeneration,
  timeoutMs,
  WAIT_EXIT_CODES,
} from "./wait-flags.ts";
export type { TimeoutFlag, WaitFlag } from "./wait-flags.ts";
export { WAIT_GOALS } from "./wait-state.ts";
export type { WaitGoal, WaitState } from "./wait-state.ts";
