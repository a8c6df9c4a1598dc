export * from "./store/index.ts";
export * from "./server/index.ts";
export type { ControllerOptions, Stage, StageContext, StageEffect, WorkloadOptions } from "./controllers/index.ts";
