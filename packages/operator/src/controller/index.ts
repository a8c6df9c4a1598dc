export { Controller } from "./controller.ts";
export type { ControllerOptions, RunRecord } from "./controller.ts";
export { changeReason } from "./reason.ts";
