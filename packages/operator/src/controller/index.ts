export { isPaused, PAUSED_ANNOTATION, RECONCILE_ANNOTATION } from "./annotations.ts";
export { Controller } from "./controller.ts";
export type { ControllerHealth, ControllerListener, ControllerOptions } from "./controller.ts";
export { HotLoopGuard } from "./hot-loop.ts";
export type { HotLoop, HotLoopLimits } from "./hot-loop.ts";
export { RunLog } from "./run-log.ts";
export type { RunRecord } from "./run-log.ts";
export { mapping } from "./watch-rule.ts";
export type { WatchRule, WatchRuleOptions } from "./watch-rule.ts";
