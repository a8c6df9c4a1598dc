/** From changes to runs: who is woken by what, when, and what came of it. Begin with `controller.ts`. */

export { Controller, logDefect } from "./controller.ts";
export type { ControllerHealth, ControllerListener, ControllerOptions } from "./controller.ts";
export type { HotLoop, HotLoopLimits } from "./hot-loop.ts";
export type { RunRecord } from "./run-log.ts";
export { mapping } from "./watch-rule.ts";
export type { WatchRule, WatchRuleOptions } from "./watch-rule.ts";
