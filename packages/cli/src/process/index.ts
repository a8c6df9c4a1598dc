/** The process of a command and other processes: signals, exit codes, modules, operators. Begin with `exit-code.ts`. */

export { ChildOperator, READY_MESSAGE } from "./child-operator.ts";
export { EXIT_CODES, exitCodeOf, reportError } from "./exit-code.ts";
export { fetchMetrics } from "./fetch-metrics.ts";
export { fetchRuns } from "./fetch-runs.ts";
export type { ProcessResponses } from "./fetch-runs.ts";
export { guardProgram } from "./guard-program.ts";
export { interruptible } from "./interruptible.ts";
export { limitHeap } from "./heap.ts";
export { loadDefaultExports, loadProgram, loadRunnables, resolveModuleFile } from "./load-program.ts";
export type { Program } from "./load-program.ts";
export { PACKAGE_ROOT } from "./package-root.ts";
export { thisMachine, writeRunFile } from "./run-file.ts";
export type { RunFile } from "./run-file.ts";
export { describeProcess, findProcesses, worksOnCluster } from "./run-process.ts";
export type { ProcessFlags, RunProcess } from "./run-process.ts";
export { isServerRunning, probeServer } from "./server-probe.ts";
export type { Probe } from "./server-probe.ts";
export { stopSignal } from "./signals.ts";
export { version } from "./version.ts";
export { watchSources } from "./watch-sources.ts";
