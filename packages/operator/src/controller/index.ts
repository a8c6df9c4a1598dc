/**
 * Maps changes of objects to reconcile runs, schedules the runs and records their results. Begin with `controller.ts`.
 */

export { Controller, logDefect } from "./controller.ts";
export type { ControllerHealth, ControllerListener, ControllerOptions } from "./controller.ts";
export type { HotLoop, HotLoopLimits } from "./hot-loop.ts";
export type { RunRecord } from "./run-log.ts";
export { enqueueFromMap } from "./watch-rule.ts";
export type { WatchRule, WatchRuleOptions } from "./watch-rule.ts";
