/** One run of a task: what it reads, decides, applies and reports. Begin with `run-task.ts`. */

export { ApiCaller, ApiFailure } from "./api-caller.ts";
export type { ApiCallerOptions, ApiRecord } from "./api-caller.ts";
export type { RunWorld } from "./context.ts";
export { PhaseError } from "./phase-error.ts";
export type { Phase } from "./phase-error.ts";
export type { ParseYaml } from "./render.ts";
export { runTask } from "./run-task.ts";
export type { RunInput, RunOutcome } from "./run-task.ts";
