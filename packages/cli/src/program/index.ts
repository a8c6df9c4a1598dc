/** Runs the operators of a file against a cluster. Begin with `run-program.ts`. */

export { addManagerFlags, addProcessFlags } from "./manager-flags.ts";
export { runProgram } from "./run-program.ts";
export type { RunProgramOptions } from "./run-program.ts";
