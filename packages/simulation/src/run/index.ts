/** Performs histories in simulated worlds. Begin with `examine.ts`. */

export { describeFault } from "./describe-fault.ts";
export { describeOperation } from "./describe-operation.ts";
export { phaseFault } from "./phase-faults.ts";
export { runHistory } from "./run-history.ts";
export type { Monitor, ObservedWrite, Properties, Property, PropertyWorld } from "./properties.ts";
export type { RunOptions, RunResult, StoryEvent } from "./run-options.ts";
export type { WhyReport } from "./why-report.ts";
export { examine, learnNoise } from "./examine.ts";
export type { Case, Examination, ExamineOptions, Knowledge } from "./examine.ts";
export { observeSample } from "./observe-sample.ts";
export type { ObservedSample } from "./observe-sample.ts";
