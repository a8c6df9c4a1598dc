/** Dry runs of a task against scripted responses. Begin with `dry-run-text.ts`. */

export { dryRunText } from "./dry-run-text.ts";
export { dryRun } from "./dry-run.ts";
export type { DryRunInput, InputFile } from "./dry-run.ts";
