/** Simulation of the program of a file in worker processes. Begin with `simulate-command.ts`. */

export { commandLine } from "./command-line.ts";
export { runReplay } from "./replay-command.ts";
export { runWorker } from "./run-worker.ts";
export { runSimulation } from "./simulate-command.ts";
export type { OutputSettings } from "./simulate-command.ts";
export type { SimulateSettings } from "./simulate-file.ts";
export { STORY_DIRECTORY } from "./story-files.ts";
export type { FromWorker, ToWorker } from "./worker-message.ts";
