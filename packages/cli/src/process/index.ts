/** The process of a command and other processes: signals, exit codes, modules, operators. Begin with `exit-code.ts`. */

export { ChildOperator, READY_MESSAGE } from "./child-operator.ts";
export { EXIT_CODES, exitCodeOf, reportError } from "./exit-code.ts";
export { limitHeap } from "./heap.ts";
export { loadDefaultExports, loadProgram, loadRunnables, resolveModuleFile } from "./load-program.ts";
export type { Program } from "./load-program.ts";
export { isLoopback } from "./loopback.ts";
export { PACKAGE_ROOT } from "./package-root.ts";
export { thisMachine, writeRunFile } from "./run-file.ts";
export type { RunFile } from "./run-file.ts";
export { describeProcess, fetchMetrics, fetchRuns, findProcesses, worksOnCluster } from "./run-process.ts";
export type { ProcessFlags, ProcessResponses, RunProcess } from "./run-process.ts";
export { stopSignal } from "./signals.ts";
export { version } from "./version.ts";
export { watchSources } from "./watch-sources.ts";
