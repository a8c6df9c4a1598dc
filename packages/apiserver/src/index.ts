export * from "./store/index.ts";
export * from "./server/index.ts";
export type {
  BuiltinControllerOptions,
  Stage,
  StageContext,
  StageEffect,
  WorkloadSimulationOptions,
} from "./controllers/index.ts";
