/** One run of a task: params, preconditions, resources and the report. Begin with `run-task.ts`. */

export { ApiCaller, ApiCallError } from "./api-caller.ts";
export type { ApiCallerOptions, ApiCallRecord } from "./api-caller.ts";
export type { RunWorld } from "./run-context.ts";
export { PhaseError } from "./phase-error.ts";
export type { TaskPhase } from "./phase-error.ts";
export type { ParseYaml } from "./render.ts";
export { runTask } from "./run-task.ts";
export type { TaskInput, TaskOutcome } from "./run-task.ts";
